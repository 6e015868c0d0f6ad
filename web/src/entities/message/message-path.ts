/** URL parameters: the id of the open conversation, and the seq of a message in it. */
export const CONVERSATION = 'c';
export const MESSAGE = 'm';
/** URL parameters: the root of the open thread, and the seq of a reply in it. */
export const THREAD = 'thread';
export const REPLY = 'r';

/** Fragments of the URL that open what a conversation notifies of, and focus the button that ends following a thread. */
export const CONVERSATION_CHOICES = '#notifications';
export const THREAD_FOLLOWING = '#follow';

/** The seq of a message in its conversation or, with a root, of a reply in its thread. */
export type MessageLocation = { conversation: string; seq: number; root?: string | null | undefined };

/** URL parameters that show a message in its conversation or, with a root, a reply in its thread. */
export const paramsOf = ({ conversation, seq, root }: MessageLocation): Record<string, string> => ({
  [CONVERSATION]: conversation,
  ...(root ? { [THREAD]: root, [REPLY]: String(seq) } : { [MESSAGE]: String(seq) }),
});

export const messagePath = (place: MessageLocation): string => `/chat?${new URLSearchParams(paramsOf(place))}`;
