"""The statistical methods in use: name, assumptions, and a reference, for reports and figures."""

from dataclasses import dataclass, replace

from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _


@dataclass(frozen=True)
class Method:
    """A method; its texts except `reference` are translated when shown."""

    name: str
    assumptions: str
    reference: str
    survey_assumptions: str = ""
    """What is assumed in a survey, whose units are participants, if that is something else."""
    other_assumptions: str | None = None
    """What is assumed besides the sample, if its intervals can be about participants too; else None."""

    def for_survey(self) -> "Method":
        """The method as it is used for the answers to a collection."""
        return replace(self, assumptions=self.survey_assumptions) if self.survey_assumptions else self

    def about(self, clusters: Clusters) -> "Method":
        """The method as it is used for intervals about further records, participants, or both."""
        if self.other_assumptions is None or clusters is Clusters.RECORDS:
            return self
        texts = [_(self.other_assumptions), _(_ABOUT[clusters])]
        reference = f"{self.reference} {_TWO_WAYS}" if clusters is Clusters.BOTH else self.reference
        return replace(self, assumptions=" ".join(filter(None, texts)), reference=reference)

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
_TWO_WAYS = (
    "For both records and participants: Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust "
    "inference with multiway clustering. Journal of Business & Economic Statistics, 29, 238–249."
)
_OF_RECORDS = N_(
    "Records are a random sample, and answers about the same record may be alike: the interval is about "
    "further records, not about other participants. A single record has no interval."
)
WIN_RATE = Method(
    N_("Win rate: wins and half the ties among all comparisons that had an outcome"),
    N_("A tie is worth half a win for both systems; answers that found neither side good are left out."),
    "Dubois, Y., et al. (2023). AlpacaFarm: A simulation framework for methods that learn from human "
    "feedback. NeurIPS 36. Chiang, W.-L., et al. (2024). Chatbot Arena: An open platform for evaluating LLMs "
    "by human preference. ICML 2024.",
)
WILSON = Method(
    N_("Share with a Wilson score interval, 95 %, for the effective number of answers"),
    _OF_RECORDS,
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association, 22, 209–212. Dean, N., & Pagano, M. (2015). Evaluating "
    "confidence interval methods for binomial proportions in clustered surveys. Journal of Survey Statistics "
    "and Methodology, 3, 484–503. For few clusters: Korn, E. L., & Graubard, B. I. (1998). Confidence "
    "intervals for proportions with small expected number of positive counts estimated from survey data. "
    "Survey Methodology, 24, 193–201.",
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
    "Student (1908). The probable error of a mean. Biometrika, 6, 1–25. Kish, L. (1965). Survey sampling, "
    "chapter 5 (design effects of clusters). Wiley.",
    N_(
        "Participants are a random sample, and the mean is roughly normally distributed: with few answers "
        "from a skewed distribution, the interval is too narrow. It is about further participants."
    ),
    other_assumptions=N_("The mean is roughly normally distributed."),
)
MEDIAN = Method(
    N_("Median with an interval from two of the sorted values, 95 %, for the effective number of answers"),
    N_("Records are a random sample; nothing is assumed about the distribution of answers."),
    "Conover, W. J. (1999). Practical nonparametric statistics (3rd ed.), section 3.2. Wiley. Woodruff, R. "
    "S. (1952). Confidence intervals for medians and other position measures. Journal of the American "
    "Statistical Association, 47, 635–646.",
    N_("Participants are a random sample; nothing is assumed about the distribution of answers."),
    other_assumptions=N_("Nothing is assumed about the distribution of answers."),
)
QUANTILES = Method(
    N_("Median and quartiles, interpolated linearly between values"),
    N_("Values are on one scale and in one unit."),
    "Hyndman, R. J., & Fan, Y. (1996). Sample quantiles in statistical packages. "
    "The American Statistician, 50, 361–365 (definition 7).",
)
HISTOGRAM = Method(
    N_("Histogram with bins of equal width"),
    N_("The number of bins depends on how many values there are and how far they spread, at most 30."),
    "Freedman, D., & Diaconis, P. (1981). On the histogram as a density estimator: L2 theory. Zeitschrift "
    "für Wahrscheinlichkeitstheorie und verwandte Gebiete, 57, 453–476. Sturges, H. A. (1926). The choice "
    "of a class interval. Journal of the American Statistical Association, 21, 65–66.",
)
TEXT_LENGTH = Method(
    N_("Length of texts in characters and words"),
    N_(
        "Characters are Unicode code points, and words are separated by white space, which does not hold for "
        "every language."
    ),
    "The Unicode Consortium. The Unicode Standard, section 2.4 (code points). Unicode Standard Annex 29: "
    "Unicode text segmentation (words in other languages).",
)
PERCENT_AGREEMENT = Method(
    N_("Percent agreement: the share of pairs of answers that are equal, averaged over records"),
    N_("Agreement by chance is included, so questions with different options cannot be compared."),
    "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin, 76, "
    "378–382.",
)
KRIPPENDORFF = Method(
    N_("Krippendorff's alpha: agreement beyond chance, 1 if perfect and 0 if by chance"),
    N_(
        "Participants are interchangeable; answers may be missing; the metric fits the meaning of the values."
    ),
    "Krippendorff, K. (2019). Content analysis (4th ed.), chapter 12. Sage. Hayes, A. F., & Krippendorff, K. "
    "(2007). Answering the call for a standard reliability measure for coding data. Communication Methods "
    "and Measures, 1, 77–89.",
)
SET_DISTANCES = Method(
    N_("MASI and Jaccard distances between sets of options"),
    N_("Sets are more alike the more options they share; for MASI also if one contains the other."),
    "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic "
    "annotation. Proceedings of LREC 2006. Jaccard, P. (1912). The distribution of the flora in the alpine "
    "zone. New Phytologist, 11, 37–50.",
)
FLEISS = Method(
    N_("Fleiss' kappa: agreement beyond chance of any number of participants"),
    N_("All participants choose from one distribution of options; the value is low if one option prevails."),
    "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin, 76, "
    "378–382. For different numbers of answers: Gwet, K. L. (2014). Handbook of inter-rater reliability "
    "(4th ed.). Advanced Analytics.",
)
COHEN = Method(
    N_("Cohen's kappa: agreement beyond chance of two participants"),
    N_("Each of the two participants has a distribution of options of their own."),
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological "
    "Measurement, 20, 37–46.",
)
WEIGHTED_KAPPA = Method(
    N_("Weighted kappa: agreement beyond chance of two participants in which near values agree in part"),
    N_(
        "Linear weights fall with the difference of two values, quadratic ones with its square; equal "
        "differences of numbers mean the same."
    ),
    "Cohen, J. (1968). Weighted kappa: Nominal scale agreement with provision for scaled disagreement or "
    "partial credit. Psychological Bulletin, 70, 213–220.",
)
GWET_WEIGHTED = Method(
    N_("Gwet's AC2: AC1 in which near values of a scale agree in part"),
    N_("Weights are those of weighted kappa; some answers are given at random, and the others agree."),
    "Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.), chapter 4. Advanced Analytics.",
)
INTRACLASS = Method(
    N_("Intraclass correlation with an F interval, 95 %; its form is named as by Shrout and Fleiss"),
    N_(
        "Numbers are normally distributed around the values of records. ICC(1,1): other participants for "
        "each record. ICC(2,1), and ICC(2,k) of the mean: the same participants, a sample of all. ICC(3,1): "
        "these participants only, and who is always higher does not matter. Two-way forms use the records "
        "that all participants answered."
    ),
    "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater reliability. "
    "Psychological Bulletin, 86, 420–428. McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some "
    "intraclass correlation coefficients. Psychological Methods, 1, 30–46. Donner, A. (1986). A review of "
    "inference procedures for the intraclass correlation coefficient in the one-way random effects model. "
    "International Statistical Review, 54, 67–82.",
)
GWET = Method(
    N_("Gwet's AC1: agreement beyond chance that is hardly affected if one option prevails"),
    N_("Some answers are given at random, and the others agree."),
    "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high "
    "agreement. British Journal of Mathematical and Statistical Psychology, 61, 29–48.",
)
JACKKNIFE = Method(
    N_("Jackknife interval over records, 95 %: a t interval from results without each record"),
    N_(
        "Records are a random sample and independent, and participants are those at hand: the interval is "
        "about further records, not about other participants."
    ),
    "Tukey, J. W. (1958). Bias and confidence in not-quite large samples. Annals of Mathematical Statistics, "
    "29, 614. Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap, chapter 11. Chapman & "
    "Hall.",
)
DISAGREEMENT = Method(
    N_("Disagreement about a record: the mean distance between two of its answers"),
    N_("The distance is that of Krippendorff's alpha; on a scale, it is the squared difference."),
    "Krippendorff, K. (2019). Content analysis (4th ed.), chapter 12. Sage.",
)
MAJORITY = Method(
    N_("Majority of answers, with ties shown; medians of numbers"),
    N_("All participants are equally reliable."),
    "Snow, R., O'Connor, B., Jurafsky, D., & Ng, A. Y. (2008). Cheap and fast, but is it good? Evaluating "
    "non-expert annotations for natural language tasks. Proceedings of EMNLP 2008, 254–263.",
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
    "Zhang, Y., Chen, X., Zhou, D., & Jordan, M. I. (2016). Spectral methods meet EM: A provably optimal "
    "algorithm for crowdsourcing. Journal of Machine Learning Research, 17(102), 1–44.",
)
DAWID_SKENE = Method(
    N_("Dawid and Skene's model of participants' errors, fitted by expectation maximization"),
    N_(
        "Given the true value, participants err independently, each at the same rates for all records. With "
        "fewer than 20 answers per participant, it is often wrong with high probabilities."
    ),
    "Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM "
    "algorithm. Applied Statistics, 28, 20–28.",
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
    "Bradley, R. A., & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. The method of "
    "paired comparisons. Biometrika, 39, 324–345. Hunter, D. R. (2004). MM algorithms for generalized "
    "Bradley–Terry models. Annals of Statistics, 32, 384–406. For the interval: Liang, K.-Y., & Zeger, S. L. "
    "(1986). Longitudinal data analysis using generalized linear models. Biometrika, 73, 13–22.",
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
    "Davidson, R. R., & Beaver, R. J. (1977). On extending the Bradley–Terry model to incorporate within-"
    "pair order effects. Biometrics, 33, 693–702.",
    other_assumptions=N_("One strength per system and one effect of the left side explain all comparisons."),
)
REGULARISED = Method(
    N_("Regularised strengths: each system also has half a win and half a loss against one imagined system"),
    N_(
        "Strengths are shrunk towards each other, most those of systems with few comparisons, so that "
        "systems that never lost or never won have finite ones. Intervals are at least those of independent "
        "comparisons."
    ),
    "Caron, F., & Doucet, A. (2012). Efficient Bayesian inference for generalized Bradley–Terry models. "
    "Journal of Computational and Graphical Statistics, 21, 174–196. Whelan, J. T. (2017). Prior "
    "distributions for the Bradley-Terry model of paired comparisons. arXiv:1712.05311.",
)
HOLM = Method(
    N_("Differences of strengths with t intervals, 95 %, and p values adjusted with Holm's method"),
    N_(
        "A difference is from the same estimate as the strengths, with their covariance. If systems are "
        "equal, any of them is said to differ in at most 5 % of studies, however many pairs there are; the "
        "intervals are those of single pairs."
    ),
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics, 6, 65–70.",
)
WEIGHTS = Method(
    N_("Weights of records, as in post-stratification; intervals by linearization"),
    N_(
        "A record stands for as many others as its weight says. Weights are taken as known, and medians and "
        "quartiles are values that were given."
    ),
    "Holt, D., & Smith, T. M. F. (1979). Post stratification. Journal of the Royal Statistical Society A, "
    "142, 33–46. Lumley, T. (2010). Complex surveys: A guide to analysis using R. Wiley.",
)
SIDES = Method(
    N_("Sides of systems: in how many records each system of a pair was on the left and on the right"),
    N_(
        "Sides that are drawn at random differ from half by more than three standard deviations in three "
        "of a thousand pairs."
    ),
    "Day, R. L. (1969). Position bias in paired product tests. Journal of Marketing Research, 6, 98–100.",
)
POSITION = Method(
    N_("Position bias: the share of the left side among the answers that prefer a side"),
    N_("If each system was on both sides equally often, half is expected without a bias."),
    "Day, R. L. (1969). Position bias in paired product tests. Journal of Marketing Research, 6, 98–100.",
)
HINTS = Method(
    N_("Hints about participants: time per task, equal answers, agreement with others, right answers"),
    N_("Hints, not verdicts: people who are fast, or who disagree, may be right."),
    "Meade, A. W., & Craig, S. B. (2012). Identifying careless responses in survey data. Psychological "
    "Methods, 17, 437–455.",
)
ACCURACY = Method(
    N_("Right answers of a participant with a Wilson score interval, 95 %"),
    N_("A participant is right about each record and question independently, and as often about others."),
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association, 22, 209–212.",
)
PRECISION = Method(
    N_("Width of the 95 % interval now and with more answers"),
    N_("Further answers are like those so far, and about further records with as many answers each."),
    "Kelley, K., Maxwell, S. E., & Rausch, J. R. (2003). Obtaining power or obtaining precision: Delineating "
    "methods of sample-size planning. Evaluation & the Health Professions, 26, 258–287.",
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
    "Kish, L. (1965). Survey sampling, chapter 5. Wiley. Donner, A. (1986). A review of inference procedures "
    "for the intraclass correlation coefficient in the one-way random effects model. International "
    "Statistical Review, 54, 67–82.",
    N_("Further participants answer like those so far; normal approximation."),
)


def strength_methods(*, has_order: bool, is_regularised: bool) -> list[Method]:
    """The methods of the strengths of systems."""
    return [ORDER_EFFECT if has_order else BRADLEY_TERRY, *([REGULARISED] if is_regularised else [])]
