export type Link = { label: string; url: string };

export type EmailLayout = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** What another user wrote, such as a comment. */
  message?: string;
  details?: [label: string, value: string][];
  quotes?: [label: string, text: string][];
  /** Links in a list, such as of notifications. */
  items?: Link[];
  choices?: Link[];
  /** Links that are secrets are also shown as text, for users who open them on another device. */
  action?: Link & { isSecret?: boolean };
  /** What to know about the action. */
  note?: string;
  /** Why the recipient was notified. */
  footnote?: string | undefined;
  footerLinks?: Link[];
};

export type EmailHeader = { workspace: string; publicUrl: string };
