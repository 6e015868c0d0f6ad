/**
 * `said` by somebody else, `sent` by oneself; `read` up to there on any device, as the server says, or `seen` on this screen, which the
 * server is yet to hear of; `gone` is a conversation, or is not one's own any more.
 */
export type UnreadNews =
  | { kind: 'said' | 'sent' | 'read' | 'seen'; conversation: string; seq: number }
  | { kind: 'gone'; conversation: string };
