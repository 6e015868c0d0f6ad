import { useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { typingLine } from '#entities/conversation/conversation-labels.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useConnectionStatus } from '#realtime/connection/status.ts';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** The typing event is repeated while a user types; without it, typing has ended. */
const TYPING_TIMEOUT_MS = 5_000;
type Typist = { id: string; name: string };

type ActiveTypist = Typist & { timer: ReturnType<typeof setTimeout> };

const NOBODY: readonly ActiveTypist[] = [];

const typing = createUserScopedStore<ReadonlyMap<string, readonly ActiveTypist[]>>(
  () => new Map(),
  (previous) => {
    for (const { timer } of [...previous.values()].flat()) clearTimeout(timer);
  },
);

const typingIn = (logId: string) => typing.get().get(logId) ?? NOBODY;

function change(logId: string, typists: readonly ActiveTypist[]): void {
  typing.change(typing.owner(), (all) => new Map(all).set(logId, typists));
}

export function recordTyping(logId: string, { id, name }: Typist): void {
  const typists = typingIn(logId);
  const current = typists.find((typist) => typist.id === id);
  clearTimeout(current?.timer);
  const activeTypist = { id, name, timer: setTimeout(() => clearTyping(logId, id), TYPING_TIMEOUT_MS) };
  change(
    logId,
    current ? typists.map((typist) => (typist === current ? activeTypist : typist)) : [...typists, activeTypist],
  );
}

export function clearTyping(logId: string, user: string): void {
  const typists = typingIn(logId);
  const current = typists.find(({ id }) => id === user);
  if (!current) return;
  clearTimeout(current.timer);
  change(
    logId,
    typists.filter((typist) => typist !== current),
  );
}

function useTyping(logId: string): readonly Typist[] {
  return useSyncExternalStore(typing.subscribe, () => typingIn(logId));
}

/** Shows who is typing in a conversation or, in its own log, in a thread; without a connection, says so instead. */
export function TypingLine({ logId }: { logId: string }) {
  const typing = useTyping(logId);
  const isDisconnected = useConnectionStatus() === 'disconnected';
  return (
    <Line aria-live="polite">
      {isDisconnected ? 'Disconnected. Trying to reconnect.' : typingLine(typing.map(({ name }) => name))}
    </Line>
  );
}

const Line = styled.p`
  height: 20px;
  padding: 4px 2px 0;
  ${ellipsis}
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;
