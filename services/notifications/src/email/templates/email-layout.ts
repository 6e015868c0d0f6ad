/** Content of an email, rendered as text and as HTML. */
export type EmailLayout = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Label and value; line breaks are preserved. */
  facts?: [label: string, value: string][];
  /** User-written text. */
  quotes?: [label: string, text: string][];
  /** RSVP links, rendered next to each other before the action. */
  choices?: { label: string; url: string }[];
  action?: { label: string; url: string };
  footnote: string;
};

export type EmailHeader = { workspace: string; publicUrl: string };
