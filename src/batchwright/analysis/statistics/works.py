"""The works that describe the methods: authors, year, title and place, and the DOI where there is one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """An article, book or standard."""

    text: str
    doi: str = ""

    @property
    def reference(self) -> str:
        """The text, with the address of the DOI."""
        return f"{self.text} https://doi.org/{self.doi}" if self.doi else self.text


DUBOIS_2023 = Work(
    "Dubois, Y., et al. (2023). AlpacaFarm: A simulation framework for methods that learn from human "
    "feedback. NeurIPS 36.",
)
CHIANG_2024 = Work(
    "Chiang, W.-L., et al. (2024). Chatbot Arena: An open platform for evaluating LLMs by human "
    "preference. ICML 2024.",
)
WILSON_1927 = Work(
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association, 22, 209–212.",
    "10.1080/01621459.1927.10502953",
)
DEAN_2015 = Work(
    "Dean, N., & Pagano, M. (2015). Evaluating confidence interval methods for binomial proportions in "
    "clustered surveys. Journal of Survey Statistics and Methodology, 3, 484–503.",
    "10.1093/jssam/smv024",
)
KORN_1998 = Work(
    "Korn, E. L., & Graubard, B. I. (1998). Confidence intervals for proportions with small expected "
    "number of positive counts estimated from survey data. Survey Methodology, 24, 193–201.",
)
STUDENT_1908 = Work(
    "Student (1908). The probable error of a mean. Biometrika, 6, 1–25.",
    "10.1093/biomet/6.1.1",
)
MARLEY_2005 = Work(
    "Marley, A. A. J., & Louviere, J. J. (2005). Some probabilistic models of best, worst, and best–worst "
    "choices. Journal of Mathematical Psychology, 49, 464–480.",
    "10.1016/j.jmp.2005.05.003",
)
LOUVIERE_2015 = Work(
    "Louviere, J. J., Flynn, T. N., & Marley, A. A. J. (2015). Best–worst scaling: Theory, methods and "
    "applications. Cambridge University Press.",
    "10.1017/CBO9781107337855",
)
KISH_1965 = Work(
    "Kish, L. (1965). Survey sampling, chapter 5 (design effects of clusters). Wiley.",
)
CONOVER_1999 = Work(
    "Conover, W. J. (1999). Practical nonparametric statistics (3rd ed.), section 3.2. Wiley.",
)
WOODRUFF_1952 = Work(
    "Woodruff, R. S. (1952). Confidence intervals for medians and other position measures. Journal of "
    "the American Statistical Association, 47, 635–646.",
    "10.1080/01621459.1952.10483443",
)
HYNDMAN_1996 = Work(
    "Hyndman, R. J., & Fan, Y. (1996). Sample quantiles in statistical packages. The American "
    "Statistician, 50, 361–365 (definition 7).",
    "10.1080/00031305.1996.10473566",
)
FREEDMAN_1981 = Work(
    "Freedman, D., & Diaconis, P. (1981). On the histogram as a density estimator: L2 theory. "
    "Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete, 57, 453–476.",
    "10.1007/BF01025868",
)
STURGES_1926 = Work(
    "Sturges, H. A. (1926). The choice of a class interval. Journal of the American Statistical "
    "Association, 21, 65–66.",
    "10.1080/01621459.1926.10502161",
)
UNICODE = Work(
    "The Unicode Consortium. The Unicode Standard, section 2.4 (code points).",
)
UNICODE_29 = Work(
    "Unicode Standard Annex 29: Unicode text segmentation (words in other languages).",
)
FLEISS_1971 = Work(
    "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin, "
    "76, 378–382.",
    "10.1037/h0031619",
)
KRIPPENDORFF_2019 = Work(
    "Krippendorff, K. (2019). Content analysis (4th ed.), chapter 12. Sage.",
)
HAYES_2007 = Work(
    "Hayes, A. F., & Krippendorff, K. (2007). Answering the call for a standard reliability measure for "
    "coding data. Communication Methods and Measures, 1, 77–89.",
    "10.1080/19312450709336664",
)
PASSONNEAU_2006 = Work(
    "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic "
    "annotation. Proceedings of LREC 2006.",
)
JACCARD_1912 = Work(
    "Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist, 11, 37–50.",
    "10.1111/j.1469-8137.1912.tb05611.x",
)
GWET_2014 = Work(
    "Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.",
)
COHEN_1960 = Work(
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological "
    "Measurement, 20, 37–46.",
    "10.1177/001316446002000104",
)
COHEN_1968 = Work(
    "Cohen, J. (1968). Weighted kappa: Nominal scale agreement with provision for scaled disagreement "
    "or partial credit. Psychological Bulletin, 70, 213–220.",
    "10.1037/h0026256",
)
SHROUT_1979 = Work(
    "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater "
    "reliability. Psychological Bulletin, 86, 420–428.",
    "10.1037/0033-2909.86.2.420",
)
MCGRAW_1996 = Work(
    "McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation "
    "coefficients. Psychological Methods, 1, 30–46.",
    "10.1037/1082-989X.1.1.30",
)
DONNER_1986 = Work(
    "Donner, A. (1986). A review of inference procedures for the intraclass correlation coefficient in "
    "the one-way random effects model. International Statistical Review, 54, 67–82.",
    "10.2307/1403259",
)
GWET_2008 = Work(
    "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high "
    "agreement. British Journal of Mathematical and Statistical Psychology, 61, 29–48.",
    "10.1348/000711006X126600",
)
TUKEY_1958 = Work(
    "Tukey, J. W. (1958). Bias and confidence in not-quite large samples. Annals of Mathematical "
    "Statistics, 29, 614.",
)
EFRON_1993 = Work(
    "Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap, chapter 11. Chapman & Hall.",
    "10.1201/9780429246593",
)
SNOW_2008 = Work(
    "Snow, R., O'Connor, B., Jurafsky, D., & Ng, A. Y. (2008). Cheap and fast, but is it good? "
    "Evaluating non-expert annotations for natural language tasks. Proceedings of EMNLP 2008, 254–263.",
)
ZHANG_2016 = Work(
    "Zhang, Y., Chen, X., Zhou, D., & Jordan, M. I. (2016). Spectral methods meet EM: A provably "
    "optimal algorithm for crowdsourcing. Journal of Machine Learning Research, 17(102), 1–44.",
)
DAWID_1979 = Work(
    "Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using "
    "the EM algorithm. Applied Statistics, 28, 20–28.",
    "10.2307/2346806",
)
BRADLEY_1952 = Work(
    "Bradley, R. A., & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. The method of "
    "paired comparisons. Biometrika, 39, 324–345.",
    "10.1093/biomet/39.3-4.324",
)
HUNTER_2004 = Work(
    "Hunter, D. R. (2004). MM algorithms for generalized Bradley–Terry models. Annals of Statistics, "
    "32, 384–406.",
    "10.1214/aos/1079120141",
)
LIANG_1986 = Work(
    "Liang, K.-Y., & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. "
    "Biometrika, 73, 13–22.",
    "10.1093/biomet/73.1.13",
)
DAVIDSON_1977 = Work(
    "Davidson, R. R., & Beaver, R. J. (1977). On extending the Bradley–Terry model to incorporate "
    "within-pair order effects. Biometrics, 33, 693–702.",
)
CARON_2012 = Work(
    "Caron, F., & Doucet, A. (2012). Efficient Bayesian inference for generalized Bradley–Terry models. "
    "Journal of Computational and Graphical Statistics, 21, 174–196.",
    "10.1080/10618600.2012.638220",
)
WHELAN_2017 = Work(
    "Whelan, J. T. (2017). Prior distributions for the Bradley-Terry model of paired comparisons. "
    "arXiv:1712.05311.",
)
HOLM_1979 = Work(
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics, 6, 65–70.",
)
HOLT_1979 = Work(
    "Holt, D., & Smith, T. M. F. (1979). Post stratification. Journal of the Royal Statistical Society "
    "A, 142, 33–46.",
    "10.2307/2344652",
)
LUMLEY_2010 = Work(
    "Lumley, T. (2010). Complex surveys: A guide to analysis using R. Wiley.",
    "10.1002/9780470580066",
)
DAY_1969 = Work(
    "Day, R. L. (1969). Position bias in paired product tests. Journal of Marketing Research, 6, 98–100.",
)
MEADE_2012 = Work(
    "Meade, A. W., & Craig, S. B. (2012). Identifying careless responses in survey data. Psychological "
    "Methods, 17, 437–455.",
    "10.1037/a0028085",
)
KELLEY_2003 = Work(
    "Kelley, K., Maxwell, S. E., & Rausch, J. R. (2003). Obtaining power or obtaining precision: "
    "Delineating methods of sample-size planning. Evaluation & the Health Professions, 26, 258–287.",
    "10.1177/0163278703255242",
)
CAMERON_2011 = Work(
    "Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering. "
    "Journal of Business & Economic Statistics, 29, 238–249.",
    "10.1198/jbes.2010.07136",
)
