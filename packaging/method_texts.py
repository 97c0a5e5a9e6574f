"""The formula of each statistical method, and when not to use it, for the page of the help about figures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MethodText:
    """What the help says about a method besides its name, its assumptions and its sources."""

    formula: str
    """In plain text; letters are explained in it."""
    not_for: str
    """When not to use it."""


TEXTS = {
    "WIN_RATE": MethodText(
        "(wins + ties / 2) / comparisons with an outcome",
        "systems that met different opponents: use strengths.",
    ),
    "WILSON": MethodText(
        "(p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), where p is the share, z = 1.96, and n is "
        "the effective number of answers: their number divided by how much more the share varies, as "
        "answers about one record are alike, than that of independent answers would.",
        "a single record, or options that were chosen because they looked extreme.",
    ),
    "STUDENT": MethodText(
        "m ± t s / √n, where m is the mean, s the standard deviation, n the effective number of answers, "
        "and t the quantile of the t distribution.",
        "few answers with some very large ones: use the median.",
    ),
    "MEDIAN": MethodText(
        "the sorted values number n/2 ± z √n / 2, where n is the effective number of answers and z = 1.96.",
        "scales with few steps, where the median hardly moves: use shares.",
    ),
    "QUANTILES": MethodText(
        "the value at place 1 + (n − 1) q among the sorted values, between two of them in proportion; q "
        "is 1/4, 1/2 or 3/4.",
        "fewer than about ten values.",
    ),
    "HISTOGRAM": MethodText(
        "bins as wide as 2 (q₃ − q₁) / ∛n, or 1 + log₂ n bins if these are more; at most 30. q₁ and q₃ "
        "are the quartiles.",
        "values of two units: convert them first.",
    ),
    "TEXT_LENGTH": MethodText(
        "the number of code points, and of parts between white space.",
        "comparing languages, some of which do not put spaces between words.",
    ),
    "PERCENT_AGREEMENT": MethodText(
        "equal pairs of answers / pairs of answers of each record, averaged over records.",
        "comparing questions with different numbers of options.",
    ),
    "KRIPPENDORFF": MethodText(
        "1 − Dₒ / Dₑ, where Dₒ is the mean distance of two answers about the same record, and Dₑ that of "
        "two answers about any records.",
        "questions that nearly everybody answers alike: it is low however well people agree.",
    ),
    "SET_DISTANCES": MethodText(
        "Jaccard: 1 − options in both / options in either; MASI: 1 minus the same times 1, 2/3, 1/3 or 0 "
        "for equal sets, a set in the other, sets that overlap, and sets that do not.",
        "options of which exactly one is chosen: a nominal distance is enough.",
    ),
    "FLEISS": MethodText(
        "(Pₒ − Pₑ) / (1 − Pₑ), where Pₒ is the percent agreement and Pₑ the sum of the squared shares of "
        "options.",
        "scales, and options of which one prevails.",
    ),
    "COHEN": MethodText(
        "(Pₒ − Pₑ) / (1 − Pₑ), where Pₑ is the sum over options of the products of both participants' "
        "shares.",
        "more than two participants, and options of which one prevails.",
    ),
    "WEIGHTED_KAPPA": MethodText(
        "1 − Σ w o / Σ w e over pairs of values, where w is their squared or absolute distance, o the "
        "share of records with these values, and e the product of both participants' shares.",
        "options without an order.",
    ),
    "GWET_WEIGHTED": MethodText(
        "(Pₒ − Pₑ) / (1 − Pₑ), where Pₒ counts near values in part, and Pₑ is that of AC1, times the sum "
        "of the weights of all pairs of options, divided by the number of options.",
        "options without an order.",
    ),
    "INTRACLASS": MethodText(
        "(variance between records) / (variance between records + that within them), from mean squares.",
        "scales with few steps, and records of which some have one answer.",
    ),
    "GWET": MethodText(
        "(Pₒ − Pₑ) / (1 − Pₑ), where Pₑ = Σ p (1 − p) / (q − 1) over the q options with shares p.",
        "comparison with values of kappa or alpha in other work.",
    ),
    "JACKKNIFE": MethodText(
        "v ± t √((n − 1)/n Σ (vᵢ − v̄)²), where vᵢ is the result without record i of n.",
        "fewer than about ten records with differing answers.",
    ),
    "DISAGREEMENT": MethodText(
        "the mean of the distances of all pairs of answers about a record.",
        "records with two answers only, in order to say that one is bad.",
    ),
    "MAJORITY": MethodText(
        "the option with the most answers, or the median.",
        "participants who differ much in how reliable they are.",
    ),
    "ONE_COIN": MethodText(
        "by turns: P(label) ∝ share of the label × Π over answers of p if it is the label, and of (1 − "
        "p)/(q − 1) if not; p, how often a participant is right, from these probabilities.",
        "fewer than 20 answers per participant, or records with one answer.",
    ),
    "DAWID_SKENE": MethodText(
        "by turns: P(label) ∝ share of the label × Π over answers of the participant's rate of this "
        "answer, given the label; the rates from these probabilities.",
        "fewer than 20 answers per participant, or records with one answer.",
    ),
    "BRADLEY_TERRY": MethodText(
        "P(i beats j) = 1 / (1 + exp(sⱼ − sᵢ)); the strengths s make the observed wins most likely.",
        "systems that no chain of comparisons connects, or that beat each other in a circle.",
    ),
    "ORDER_EFFECT": MethodText(
        "P(left i beats right j) = 1 / (1 + exp(sⱼ − sᵢ − b)), where b is the effect of the left side.",
        "designs in which a system always stands on the same side.",
    ),
    "REGULARISED": MethodText(
        "as the strengths above, with half a win and half a loss of each system against one imagined system.",
        "few comparisons, if you want to report how large a difference is: it is too small.",
    ),
    "HOLM": MethodText(
        "sᵢ − sⱼ ± t √(vᵢ + vⱼ − 2cᵢⱼ), where v and c are variances and covariances of strengths; of k "
        "pairs, the smallest p value is multiplied by k, the next one by k − 1, and so on.",
        "one comparison that was planned before: its own p value is enough.",
    ),
    "BEST_WORST_SCORE": MethodText(
        "(times best − times worst) / times shown.",
        "sets that are not balanced: use strengths.",
    ),
    "MAXIMUM_DIFFERENCE": MethodText(
        "P(i best and j worst) = exp(sᵢ − sⱼ) / Σ exp(sₖ − sₗ) over all ordered pairs of the set.",
        "items that no chain of sets connects.",
    ),
    "PLACES": MethodText(
        "times chosen at a place / answers.",
        "items that stood mostly at one place.",
    ),
    "WEIGHTS": MethodText(
        "Σ w x / Σ w, where w is the weight of the record of answer x.",
        "weights that were chosen after looking at results.",
    ),
    "SIDES": MethodText(
        "records with the system on the left / records with the system.",
        "fewer than ten records of a pair.",
    ),
    "POSITION": MethodText(
        "answers for the left / answers for a side.",
        "designs in which one system mostly stood on the left.",
    ),
    "HINTS": MethodText(
        "the median of the seconds per task, the share of the most frequent answer, and the share of "
        "others' answers about the same records that are equal.",
        "excluding people by one of them alone.",
    ),
    "ACCURACY": MethodText(
        "right answers / known answers, with the interval of a share.",
        "fewer than about ten known answers: the interval is wide.",
    ),
    "PRECISION": MethodText(
        "the width now × √(n / m), where n is the number of answers so far and m a larger one.",
        "deciding to stop as soon as the result is as wished.",
    ),
    "NEEDED_RECORDS": MethodText(
        "(2 z s / w)² × (1 + (a − 1) r) / a, where w is the width, s the standard deviation, a the number "
        "of answers about each record, and r how alike they are.",
        "pilots with fewer than about 20 records.",
    ),
}
"""The texts by the name of the method's constant in `methods`."""
