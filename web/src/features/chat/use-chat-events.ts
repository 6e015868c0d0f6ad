import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRefresh } from '../../lib/cache/use-refresh.ts';
import { useCurrentUser } from '../../lib/session/use-session.ts';
import { SETTLE_MS } from '../../realtime/follow-live.ts';
import { chatSocket, emitChat, liveSocket } from '../../realtime/socket.ts';
import { showError } from '../../ui/overlays/toast.ts';
import { withNews, withRead } from './conversation-news.ts';
import { membershipNews } from './conversations/membership-news.ts';
import { useListChanges } from './conversations/use-conversations.ts';
import {
  hasGap,
  isBehind,
  type MessageLog,
  missesChanges,
  withDeleted,
  withReceived,
  withRevision,
} from './log/message-log.ts';
import { followLog, forgetLog, logOf, rested } from './log/message-store.ts';
import { catchUp, catchUpChanges } from './log/sync-messages.ts';
import { isOwnChange } from './messages/own-changes.ts';
import { noteRead } from './messages/use-mark-read.ts';
import { noteStopped, noteTyping } from './typing-store.ts';
import { isPageVisible } from './use-is-visible.ts';

type Events = { [Name in keyof ChatServerEvents]?: ChatServerEvents[Name] };

type Given = {
  open: string | null;
  nameOf: (conversation: string) => string;
  /** One that is open is nobody's any more, or not one's own. */
  onGone: (conversation: string) => void;
};

/** Follows everything the chat socket says for as long as the screen is there. */
export function useChatEvents({ open, nameOf, onGone }: Given): void {
  const me = useCurrentUser()._id;
  const refresh = useRefresh();
  const { update, put, remove } = useListChanges();
  const reload = () => refresh('/chat/conversations');
  const news = useMembershipNews(reload);
  const leave = (conversation: string) => {
    onGone(conversation);
    forgetLog(conversation);
    remove(conversation);
  };
  const followChange = (
    conversation: string,
    change: (log: MessageLog) => MessageLog,
    revision: number | undefined,
  ) => {
    const isMissed = conversation === open && missesChanges(logOf(conversation), revision);
    followLog(conversation, (log) => withRevision(change(log), revision));
    if (isMissed) catchUpChanges(conversation).catch(() => undefined);
  };
  const receive = (message: Message) => {
    const isOpen = message.conversation === open;
    const log = followLog(message.conversation, (known) => {
      const received = withReceived(known, [message]);
      return isOpen ? received : rested(received);
    });
    if (isOpen && hasGap(log)) catchUpQuietly(message.conversation);
    noteStopped(message.conversation, message.sender._id);
    const isSeen = isOpen && isPageVisible();
    update(message.conversation, (known) => withNews(known, message, { me, isSeen }));
    if (isSeen && message.sender._id !== me) noteRead(me, message.conversation, message.seq);
  };
  const events: Events = {
    'message:new': ({ message }) => receive(message),
    'message:updated': ({ message, revision }) => {
      followChange(message.conversation, (log) => withReceived(log, [message]), revision);
      update(message.conversation, (known) =>
        known.lastMessage?._id === message._id ? { ...known, lastMessage: message } : known,
      );
    },
    'message:deleted': ({ conversation, seq, revision }) => {
      followChange(conversation, (log) => withDeleted(log, seq), revision);
      reload();
    },
    'message:read': ({ conversation, user, seq }) => {
      if (user === me) update(conversation, (known) => withRead(known, seq));
    },
    'typing:start': ({ conversation, user, firstName }) => noteTyping(conversation, { id: user, name: firstName }),
    'typing:stop': ({ conversation, user }) => noteStopped(conversation, user),
    'conversation:new': ({ conversation }) => put(conversation),
    'conversation:updated': ({ conversation }) => put(conversation),
    'conversation:deleted': ({ conversation }) => {
      if (conversation === open && !isOwnChange(conversation))
        showError('This conversation was deleted', nameOf(conversation));
      leave(conversation);
    },
    'conversation:participant_added': ({ conversation, addedUserId, user }) => {
      news.note('added to', isOwnChange(conversation, addedUserId) ? null : user);
    },
    'conversation:participant_removed': ({ conversation, removedUserId, user }) => {
      if (removedUserId === me) {
        showError('You were removed from conversation', nameOf(conversation));
        leave(conversation);
      }
      const isToldAlready = removedUserId === me || isOwnChange(conversation, removedUserId);
      news.note('removed from', isToldAlready ? null : user);
    },
  };
  useListeners(events);
  useSafetyNet(open);
  useJoin(open);
}

/** One registration for the life of the screen; each event finds the handlers of the latest render. */
function useListeners(events: Events): void {
  const handle = useEffectEvent((name: string, payload: unknown) => {
    const handler = Object.entries(events).find(([known]) => known === name)?.[1];
    // The map of events pairs each name with its payload; only their union is visible here.
    (handler as ((payload: unknown) => void) | undefined)?.(payload);
  });
  useEffect(() => {
    const listen = (name: string, payload: unknown) => handle(name, payload);
    chatSocket.onAny(listen);
    return () => {
      chatSocket.offAny(listen);
    };
  }, []);
}

function useMembershipNews(onTold: () => void) {
  const tell = useEffectEvent(onTold);
  const [news, setNews] = useState<ReturnType<typeof membershipNews>>();
  useEffect(() => {
    const begun = membershipNews(() => tell());
    setNews(begun);
    return () => begun.stop();
  }, []);
  return { note: (...given: Parameters<ReturnType<typeof membershipNews>['note']>) => news?.note(...given) };
}

/** A message whose own event was lost on the way is noticed by its seq. */
function useSafetyNet(open: string | null): void {
  useEffect(() => {
    if (open === null) return;
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const onChanged: LiveServerEvents['changed'] = ({ changes }) => {
      const seq = Math.max(
        0,
        ...changes.filter(({ resource, id }) => resource === 'message' && id === open).map(({ version }) => version),
      );
      if (!isBehind(logOf(open), seq)) return;
      timers.add(setTimeout(() => isBehind(logOf(open), seq) && catchUpQuietly(open), SETTLE_MS));
    };
    liveSocket.on('changed', onChanged);
    return () => {
      liveSocket.off('changed', onChanged);
      timers.forEach(clearTimeout);
    };
  }, [open]);
}

/** Tells the server which conversation is open, again after every reconnect. */
function useJoin(open: string | null): void {
  useEffect(() => {
    if (open === null) return;
    const tell = (event: 'conversation:join' | 'conversation:leave') => {
      if (chatSocket.connected) emitChat(event, { conversationId: open }).catch(() => undefined);
    };
    const join = () => tell('conversation:join');
    join();
    chatSocket.on('connect', join);
    return () => {
      chatSocket.off('connect', join);
      tell('conversation:leave');
    };
  }, [open]);
}

/** One that fails is made good by the next hint, or by the reconnect that follows. */
function catchUpQuietly(conversation: string): void {
  catchUp(conversation).catch(() => undefined);
}
