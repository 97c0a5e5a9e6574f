"""What the help says about each template of Home besides what its files contain."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TemplateText:
    """When to use a template, how others did, and what to look at."""

    when: str
    not_when: str
    study: str
    """A published study of this kind."""
    found: str
    """What was done in it, and what it says to those who do the same."""
    advice: str
    """In Markdown."""


TEXTS = {
    "preference": TemplateText(
        "to find out which of two or more systems people like better, or to collect preferences for "
        "training.",
        "you need to know whether an answer is acceptable: the better of two can be bad. Use *Single "
        "rating*.",
        "Stiennon et al. 2020, Learning to summarize with human feedback, NeurIPS 33.",
        "People chose the better of two summaries of the same post. Their choices trained a model of "
        "preferences, and the authors measured how often people agreed with each other and with "
        "themselves.",
        "Make pairs and draw the sides with [Prepare](prepare.md#compare-systems). In Results, see "
        "[Comparisons](results.md#comparisons) and the [bias of position](results.md#bias-of-position). "
        "*Save results…* writes preference pairs for training.",
    ),
    "rating": TemplateText(
        "each item needs a value of its own, for example to say how many answers are acceptable.",
        "you only want to know which system is better: comparisons need fewer answers.",
        "Kreutzer et al. 2018, Reliability and learnability of human bandit feedback for "
        "sequence-to-sequence reinforcement learning, ACL, 1777–1788.",
        "Translations were rated on five points and compared in pairs. Agreement was comparable; it was "
        "best for ratings that were standardised for each person.",
        "Label at least both ends of the scale. In Results, see [Questions](results.md#questions) for "
        "shares and means, and [Agreement](results.md#agreement) for alpha with an ordinal metric.",
    ),
    "factuality": TemplateText(
        "to count errors in generated texts, one claim at a time.",
        "a text has many claims: split it into records with one claim each first.",
        "Min et al. 2023, FActScore: fine-grained atomic evaluation of factual precision in long form "
        "text generation, EMNLP, 12076–12100.",
        "Biographies were split into atomic facts, and people decided for each whether a source supports "
        "it. The share of facts that are supported is the score of a system.",
        "Give the source on the page, so that nobody has to search. Ask for a reason: it shows what was "
        "misunderstood. See [Labels](results.md#labels) for one verdict per claim.",
    ),
    "image-quality": TemplateText(
        "to rate pictures one by one, for example of compression or of generators.",
        "differences are small: show two pictures side by side instead.",
        "Hosu et al. 2020, KonIQ-10k: an ecologically valid database for deep learning of blind image "
        "quality assessment, IEEE Transactions on Image Processing 29, 4041–4056.",
        "About ten thousand pictures were rated on five points by more than a thousand people of the "
        "crowd, who were screened with pictures of known quality.",
        "Put the pictures on a web server before you go live: see [Pictures and "
        "media](data.md#pictures-and-media). Mix in [known "
        "answers](prepare.md#known-answers-and-attention-checks).",
    ),
    "audio": TemplateText(
        "to compare recordings, such as two voices or two codecs.",
        "participants may have no headphones: ask first, in a *Screening*.",
        "Naderi and Cutler 2020, An open source implementation of ITU-T recommendation P.808 with "
        "validation, Interspeech, 2862–2866.",
        "Listening tests of the laboratory were carried over to the crowd, with a check of the hearing "
        "and of the device, and with known answers and attention checks among the clips.",
        "Keep clips short, under about ten seconds. Draw the sides: the first clip that is heard has an "
        "advantage.",
    ),
    "transcription": TemplateText(
        "to have recordings written down.",
        "you need one final text without further work: texts of several people must be joined by another "
        "program.",
        "Marge et al. 2010, Using the Amazon Mechanical Turk for transcription of spoken language, "
        "ICASSP, 5270–5273.",
        "Several people of the crowd transcribed each utterance. Joined by a vote, their texts were about "
        "as good as those that were made in the conventional way; more pay did not make them better.",
        "Say how to write numbers, pauses and what cannot be understood. Have each recording transcribed "
        "at least twice: two answers per record in the setup.",
    ),
    "translation": TemplateText(
        "to find errors of translations, with their kind and severity.",
        "participants do not know both languages well: screen them.",
        "Freitag et al. 2021, Experts, errors, and context: a large-scale study of human evaluation for "
        "machine translation, TACL 9, 1460–1474.",
        "Professional translators marked errors in whole documents. The order of the systems differed "
        "from that of ratings by the crowd, and the best automatic metrics agreed with the experts.",
        "Keep the sentences of a document in one [task group](prepare.md#task-groups) and in their order, "
        "so that participants see the context.",
    ),
    "ranking": TemplateText(
        "to put many systems or items in an order.",
        "there are only two systems: use *Side-by-side preference*.",
        "Chiang et al. 2024, Chatbot Arena: an open platform for evaluating LLMs by human preference, ICML.",
        "Visitors compared answers of two models without their names. Bradley–Terry strengths put all "
        "models on one scale, although most pairs met rarely.",
        "Not all pairs are needed: [Prepare](prepare.md#compare-systems) chooses pairs for a budget that "
        "connect all systems. See [Comparisons](results.md#comparisons) for strengths.",
    ),
    "critique": TemplateText(
        "to learn what is wrong before you know what to ask.",
        "you want to count: texts must be coded first. Ask a choice in the next study.",
        "Saunders et al. 2022, Self-critiquing models for assisting human evaluators, arXiv:2206.05802.",
        "People wrote critiques of summaries. Critiques that a model had learned to write from these "
        "helped others to find more flaws.",
        "Ten to thirty texts often suffice to see what comes up. *Save results…* writes them as a table.",
    ),
    "measurement": TemplateText(
        "to ask for a number with its unit: a weight, a length, a price.",
        "there are only a few possible values: offer them as options.",
        "Galton 1907, Vox populi, Nature 75, 450–451.",
        "787 visitors of a fair estimated the weight of an ox. The median was within one per cent of the "
        "truth, although single estimates were far from it.",
        "Look at the median, not at the mean: one wrong unit moves the mean far. "
        "[Units](results.md#units) are joined by a table that you confirm.",
    ),
    "upload": TemplateText(
        "participants send files: recordings, photographs, documents.",
        "the files could show persons who have not agreed.",
        "Ardila et al. 2020, Common Voice: a massively-multilingual speech corpus, LREC, 4218–4222.",
        "Volunteers recorded sentences that they were shown, and others decided whether a recording has "
        "the words of the sentence.",
        "Say which types and how large. Have the files checked in a second study. The files are in the "
        "export: *Download export…* in Results.",
    ),
    "survey": TemplateText(
        "to ask people about themselves, without data that they judge.",
        "the order of questions matters and should differ from person to person: see [what the service "
        "does not have](live.md#what-the-service-does-not-have).",
        "Buhrmester et al. 2011, Amazon's Mechanical Turk: a new source of inexpensive, yet high-quality, "
        "data?, Perspectives on Psychological Science 6, 3–5.",
        "Answers of the crowd to personality questionnaires were as reliable as those collected by other "
        "means, and hardly depended on the pay.",
        "Ask for consent on the first page. Ask what you need and nothing more: see "
        "[Participants](privacy.md#participants).",
    ),
    "screening": TemplateText(
        "to find out who is eligible for another study.",
        "the platform can select people by what it knows about them: that costs nothing.",
        "Chandler and Paolacci 2017, Lie for a dime, Social Psychological and Personality Science 8, "
        "500–508.",
        "Many people claim to be eligible if a study says who is wanted.",
        "Do not say who you look for, and ask about several things. Pay everybody who answers. Enter the "
        "ids of those who are eligible on the platform.",
    ),
    "debriefing": TemplateText(
        "after a study: to say what it was about, and to ask what participants noticed.",
        "participants must know it before they start: that belongs into the task details.",
        "Nosek et al. 2002, E-research: ethics, security, design, and control in psychological research "
        "on the Internet, Journal of Social Issues 58, 161–176.",
        "The authors discuss how participants are informed when nobody is in the room, also those who end "
        "early.",
        "Publish it as a study of its own for those who took part. Ask whether anything was unclear.",
    ),
}
"""The texts by the folder of the template."""
