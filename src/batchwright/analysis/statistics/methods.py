"""The statistical methods in use: name, assumptions, and a reference, for reports and figures."""

from dataclasses import dataclass, replace

from batchwright.analysis.statistics import works
from batchwright.analysis.statistics.works import Work
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _


@dataclass(frozen=True)
class Method:
    """A method; its texts are translated when shown, except for `works`, which describe it."""

    name: str
    assumptions: str
    works: tuple[Work, ...]
    survey_assumptions: str = ""
    """What is assumed in a survey, whose units are participants, if that is something else."""
    other_assumptions: str | None = None
    """What is assumed besides the sample, if its intervals can be about participants too; else None."""

    @property
    def reference(self) -> str:
        """The works as one text, without their addresses."""
        return " ".join(work.text for work in self.works)

    def for_survey(self) -> "Method":
        """The method as it is used for the answers to a collection."""
        return replace(self, assumptions=self.survey_assumptions) if self.survey_assumptions else self

    def about(self, clusters: Clusters) -> "Method":
        """The method as it is used for intervals about further records, participants, or both."""
        if self.other_assumptions is None or clusters is Clusters.RECORDS:
            return self
        texts = [_(self.other_assumptions), _(_ABOUT[clusters])]
        further = (works.CAMERON_2011,) if clusters is Clusters.BOTH else ()
        return replace(self, assumptions=" ".join(filter(None, texts)), works=(*self.works, *further))

    def summary(self) -> str:
        """Name and assumptions as text."""
        return f"{_(self.name)}. {_(self.assumptions)}"

    def sentence(self) -> str:
        """Name, assumptions and reference as text."""
        return f"{self.summary()} {self.reference}"


_ABOUT = {
    Clusters.PARTICIPANTS: N_(
        "Participants are a random sample, and answers of the same one may be alike: the interval is about "
        "further participants who answer about the same records. A single participant has no interval."
    ),
    Clusters.BOTH: N_(
        "Records and participants are random samples, and answers about the same record or of the same "
        "participant may be alike: the interval is about further records, answered by further participants."
    ),
}
_OF_RECORDS = N_(
    "Records are a random sample, and answers about the same record may be alike: the interval is about "
    "further records, not about other participants. A single record has no interval."
)
WIN_RATE = Method(
    N_("Win rate: wins and half the ties among all comparisons that had an outcome"),
    N_("A tie is worth half a win for both systems; answers that found neither side good are left out."),
    (works.DUBOIS_2023, works.CHIANG_2024),
)
WILSON = Method(
    N_("Share with a Wilson score interval, 95 %, for the effective number of answers"),
    _OF_RECORDS,
    (works.WILSON_1927, works.DEAN_2015, works.KORN_1998),
    N_(
        "Participants are a random sample and answer independently of each other: the interval is about "
        "further participants."
    ),
    other_assumptions="",
)
STUDENT = Method(
    N_("Mean with a t interval, 95 %, for the effective number of answers"),
    N_(
        "Records are a random sample, and the mean is roughly normally distributed: with few answers from a "
        "skewed distribution, the interval is too narrow. It is about further records."
    ),
    (works.STUDENT_1908, works.KISH_1965),
    N_(
        "Participants are a random sample, and the mean is roughly normally distributed: with few answers "
        "from a skewed distribution, the interval is too narrow. It is about further participants."
    ),
    other_assumptions=N_("The mean is roughly normally distributed."),
)
MEDIAN = Method(
    N_("Median with an interval from two of the sorted values, 95 %, for the effective number of answers"),
    N_("Records are a random sample; nothing is assumed about the distribution of answers."),
    (works.CONOVER_1999, works.WOODRUFF_1952),
    N_("Participants are a random sample; nothing is assumed about the distribution of answers."),
    other_assumptions=N_("Nothing is assumed about the distribution of answers."),
)
QUANTILES = Method(
    N_("Median and quartiles, interpolated linearly between values"),
    N_("Values are on one scale and in one unit."),
    (works.HYNDMAN_1996,),
)
HISTOGRAM = Method(
    N_("Histogram with bins of equal width"),
    N_("The number of bins depends on how many values there are and how far they spread, at most 30."),
    (works.FREEDMAN_1981, works.STURGES_1926),
)
TEXT_LENGTH = Method(
    N_("Length of texts in characters and words"),
    N_(
        "Characters are Unicode code points, and words are separated by white space, which does not hold for "
        "every language."
    ),
    (works.UNICODE, works.UNICODE_29),
)
PERCENT_AGREEMENT = Method(
    N_("Percent agreement: the share of pairs of answers that are equal, averaged over records"),
    N_("Agreement by chance is included, so questions with different options cannot be compared."),
    (works.FLEISS_1971,),
)
KRIPPENDORFF = Method(
    N_("Krippendorff's alpha: agreement beyond chance, 1 if perfect and 0 if by chance"),
    N_(
        "Participants are interchangeable; answers may be missing; the metric fits the meaning of the values."
    ),
    (works.KRIPPENDORFF_2019, works.HAYES_2007),
)
SET_DISTANCES = Method(
    N_("MASI and Jaccard distances between sets of options"),
    N_("Sets are more alike the more options they share; for MASI also if one contains the other."),
    (works.PASSONNEAU_2006, works.JACCARD_1912),
)
FLEISS = Method(
    N_("Fleiss' kappa: agreement beyond chance of any number of participants"),
    N_("All participants choose from one distribution of options; the value is low if one option prevails."),
    (works.FLEISS_1971, works.GWET_2014),
)
COHEN = Method(
    N_("Cohen's kappa: agreement beyond chance of two participants"),
    N_("Each of the two participants has a distribution of options of their own."),
    (works.COHEN_1960,),
)
WEIGHTED_KAPPA = Method(
    N_("Weighted kappa: agreement beyond chance of two participants in which near values agree in part"),
    N_(
        "Linear weights fall with the difference of two values, quadratic ones with its square; equal "
        "differences of numbers mean the same."
    ),
    (works.COHEN_1968,),
)
GWET_WEIGHTED = Method(
    N_("Gwet's AC2: AC1 in which near values of a scale agree in part"),
    N_("Weights are those of weighted kappa; some answers are given at random, and the others agree."),
    (works.GWET_2014,),
)
INTRACLASS = Method(
    N_("Intraclass correlation with an F interval, 95 %; its form is named as by Shrout and Fleiss"),
    N_(
        "Numbers are normally distributed around the values of records. ICC(1,1): other participants for "
        "each record. ICC(2,1), and ICC(2,k) of the mean: the same participants, a sample of all. ICC(3,1): "
        "these participants only, and who is always higher does not matter. Two-way forms use the records "
        "that all participants answered."
    ),
    (works.SHROUT_1979, works.MCGRAW_1996, works.DONNER_1986),
)
GWET = Method(
    N_("Gwet's AC1: agreement beyond chance that is hardly affected if one option prevails"),
    N_("Some answers are given at random, and the others agree."),
    (works.GWET_2008,),
)
JACKKNIFE = Method(
    N_("Jackknife interval over records, 95 %: a t interval from results without each record"),
    N_(
        "Records are a random sample and independent, and participants are those at hand: the interval is "
        "about further records, not about other participants."
    ),
    (works.TUKEY_1958, works.EFRON_1993),
)
DISAGREEMENT = Method(
    N_("Disagreement about a record: the mean distance between two of its answers"),
    N_("The distance is that of Krippendorff's alpha; on a scale, it is the squared difference."),
    (works.KRIPPENDORFF_2019,),
)
MAJORITY = Method(
    N_("Majority of answers, with ties shown; medians of numbers"),
    N_("All participants are equally reliable."),
    (works.SNOW_2008,),
)
ONE_COIN = Method(
    N_(
        "One-coin model with one probability of a right answer per participant, fitted by expectation "
        "maximization"
    ),
    N_(
        "Participants err independently, each as often for all records, and towards all other options alike; "
        "four answers that are right as often as those of all are added for each."
    ),
    (works.ZHANG_2016,),
)
DAWID_SKENE = Method(
    N_("Dawid and Skene's model of participants' errors, fitted by expectation maximization"),
    N_(
        "Given the true value, participants err independently, each at the same rates for all records. With "
        "fewer than 20 answers per participant, it is often wrong with high probabilities."
    ),
    (works.DAWID_1979,),
)
BRADLEY_TERRY = Method(
    N_(
        "Bradley–Terry strengths; a tie is half a win for both; t interval, 95 %, with a standard error that "
        "allows for comparisons that are alike"
    ),
    N_(
        "One strength per system explains all comparisons, and records are independent; the interval is "
        "about further records."
    ),
    (works.BRADLEY_1952, works.HUNTER_2004, works.LIANG_1986),
    other_assumptions=N_("One strength per system explains all comparisons."),
)
ORDER_EFFECT = Method(
    N_(
        "Bradley–Terry strengths with an effect of the left side; a tie is half a win for both; t intervals, "
        "95 %, with standard errors that allow for comparisons that are alike"
    ),
    N_(
        "One strength per system and one effect of the left side explain all comparisons, and records are "
        "independent; the interval is about further records."
    ),
    (works.DAVIDSON_1977,),
    other_assumptions=N_("One strength per system and one effect of the left side explain all comparisons."),
)
REGULARISED = Method(
    N_("Regularised strengths: each system also has half a win and half a loss against one imagined system"),
    N_(
        "Strengths are shrunk towards each other, most those of systems with few comparisons, so that "
        "systems that never lost or never won have finite ones. Intervals are at least those of independent "
        "comparisons."
    ),
    (works.CARON_2012, works.WHELAN_2017),
)
HOLM = Method(
    N_("Differences of strengths with t intervals, 95 %, and p values adjusted with Holm's method"),
    N_(
        "A difference is from the same estimate as the strengths, with their covariance. If systems are "
        "equal, any of them is said to differ in at most 5 % of studies, however many pairs there are; the "
        "intervals are those of single pairs."
    ),
    (works.HOLM_1979,),
)
BEST_WORST_SCORE = Method(
    N_(
        "Best–worst score: how often an item was the best less how often it was the worst, divided by how "
        "often it was shown; t interval, 95 %, for the effective number of answers"
    ),
    N_(
        "Each item is shown with others that are on average as good as those of any other item, as in "
        "balanced sets. Sets are a random sample, and answers about the same one may be alike: the interval "
        "is about further sets."
    ),
    (works.LOUVIERE_2015, works.KISH_1965),
    other_assumptions=N_("Each item is shown with others that are on average as good as those of any other."),
)
MAXIMUM_DIFFERENCE = Method(
    N_(
        "Strengths of the maximum difference model; t interval, 95 %, with a standard error that allows for "
        "answers that are alike"
    ),
    N_(
        "The best and the worst item of a set are chosen together, as the pair with the largest difference; "
        "one strength per item explains all choices. Intervals are about further sets of the same items, and "
        "at least those of independent answers."
    ),
    (works.MARLEY_2005, works.LOUVIERE_2015, works.LIANG_1986),
    other_assumptions=N_(
        "The best and the worst item of a set are chosen together, as the pair with the largest difference; "
        "one strength per item explains all choices. Intervals are at least those of independent answers."
    ),
)
PLACES = Method(
    N_("Places in sets: the share of answers in which the item at a place was the best, or the worst"),
    N_(
        "If each item stood at each place equally often, all places are expected to have the same share "
        "without a bias."
    ),
    (works.DAY_1969,),
)
WEIGHTS = Method(
    N_("Weights of records, as in post-stratification; intervals by linearization"),
    N_(
        "A record stands for as many others as its weight says. Weights are taken as known, and medians and "
        "quartiles are values that were given."
    ),
    (works.HOLT_1979, works.LUMLEY_2010),
)
SIDES = Method(
    N_("Sides of systems: in how many records each system of a pair was on the left and on the right"),
    N_(
        "Sides that are drawn at random differ from half by more than three standard deviations in three "
        "of a thousand pairs."
    ),
    (works.DAY_1969,),
)
POSITION = Method(
    N_("Position bias: the share of the left side among the answers that prefer a side"),
    N_("If each system was on both sides equally often, half is expected without a bias."),
    (works.DAY_1969,),
)
HINTS = Method(
    N_("Hints about participants: time per task, equal answers, agreement with others, right answers"),
    N_("Hints, not verdicts: people who are fast, or who disagree, may be right."),
    (works.MEADE_2012,),
)
ACCURACY = Method(
    N_("Right answers of a participant with a Wilson score interval, 95 %"),
    N_("A participant is right about each record and question independently, and as often about others."),
    (works.WILSON_1927,),
)
PRECISION = Method(
    N_("Width of the 95 % interval now and with more answers"),
    N_("Further answers are like those so far, and about further records with as many answers each."),
    (works.KELLEY_2003,),
    N_("Further answers are like those so far, and are given by further participants."),
    other_assumptions=N_(
        "Further answers are like those so far, with as many more of what the intervals are about."
    ),
)

NEEDED_RECORDS = Method(
    N_("Sample size for a wanted width of the 95 % interval"),
    N_(
        "Further answers vary like those so far, and those about the same record are as alike; normal "
        "approximation. More answers about the same records do not tell how other records would differ."
    ),
    (works.KISH_1965, works.DONNER_1986),
    N_("Further participants answer like those so far; normal approximation."),
)


def strength_methods(*, has_order: bool, is_regularised: bool) -> list[Method]:
    """The methods of the strengths of systems."""
    return [ORDER_EFFECT if has_order else BRADLEY_TERRY, *([REGULARISED] if is_regularised else [])]
