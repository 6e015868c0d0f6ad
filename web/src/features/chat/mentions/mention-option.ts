import type { NamedUser } from '#entities/user/user-labels.ts';

/** What completes a mention or an emoji. */
export type MentionOption = {
  token: string;
  label: string;
  detail?: string | undefined;
  user?: NamedUser;
  /** Inserted as text. */
  emoji?: string;
};
