/* Wine 8's C runtime exports the functions of complex numbers without having them: these are mingw's.

   Windows passes a complex number as a structure of two values, and its `long double` is a `double`. The file
   of definitions that the script writes gives each function its name: `d_csin` becomes `csin` and `csinl`,
   `f_csin` becomes `csinf`. */

#include <complex.h>

typedef struct { double re, im; } Double;
typedef struct { float re, im; } Float;

static double complex from_double(Double value) { return __builtin_complex(value.re, value.im); }
static float complex from_float(Float value) { return __builtin_complex(value.re, value.im); }
static Double to_double(double complex value) { return (Double){__real__ value, __imag__ value}; }
static Float to_float(float complex value) { return (Float){__real__ value, __imag__ value}; }

#define REAL(name) \
    double d_##name(Double value) { return name(from_double(value)); } \
    float f_##name(Float value) { return name##f(from_float(value)); }

#define COMPLEX(name) \
    Double d_##name(Double value) { return to_double(name(from_double(value))); } \
    Float f_##name(Float value) { return to_float(name##f(from_float(value))); }

REAL(cabs)
REAL(carg)
REAL(creal)
REAL(cimag)
COMPLEX(ccos)
COMPLEX(ccosh)
COMPLEX(cexp)
COMPLEX(clog)
COMPLEX(csin)
COMPLEX(csinh)
COMPLEX(csqrt)
COMPLEX(ctan)
COMPLEX(ctanh)

Double d_cpow(Double base, Double power) { return to_double(cpow(from_double(base), from_double(power))); }
Float f_cpow(Float base, Float power) { return to_float(cpowf(from_float(base), from_float(power))); }
