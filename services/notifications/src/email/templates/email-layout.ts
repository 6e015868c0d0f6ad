/** What a mail says, before it has a form: every template makes one of these, and both forms are made from it. */
export type EmailLayout = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Label and value; several lines are kept as lines. */
  facts?: [label: string, value: string][];
  /** Longer text that somebody wrote. */
  quotes?: [label: string, text: string][];
  /** Ways to answer, side by side, before the action. */
  choices?: { label: string; url: string }[];
  action?: { label: string; url: string };
  footnote: string;
};

/** Who sends, for the head and the foot of every mail. */
export type LetterHead = { workspace: string; publicUrl: string };
