import { CircleAlert, Info } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { theme } from './theme.ts';

type Tone = 'info' | 'danger';

type Props = {
  tone?: Tone;
  /** False if a toast announces the message. */
  isAnnounced?: boolean;
  children: ReactNode;
};

export function Notice({ tone = 'info', isAnnounced = true, children }: Props) {
  return (
    <Box $tone={tone} {...(isAnnounced && { role: tone === 'danger' ? 'alert' : 'status' })}>
      {tone === 'danger' ? <CircleAlert aria-hidden="true" /> : <Info aria-hidden="true" />}
      <div>{children}</div>
    </Box>
  );
}

const Box = styled.div<{ $tone: Tone }>`
  display: flex;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[4]};
  border-radius: ${theme.radius.md};
  background: ${({ $tone }) => ($tone === 'danger' ? theme.color.dangerSoft : theme.color.infoSoft)};
  color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.info)};
  > svg {
    width: 18px;
    height: 18px;
    margin-top: 1px;
  }
  > div {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`;

/** Shows why the last submission failed, which a toast has already announced. */
export function FormFailure({ failure }: { failure: AnnouncedFailure | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  // Scrolls to the notice, because the submit button may be far below it.
  useEffect(() => {
    if (failure !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  if (failure === undefined) return null;
  return (
    <div ref={box} data-form-failure>
      <Notice tone="danger" isAnnounced={false}>
        {failure.reason}
      </Notice>
    </div>
  );
}

/** A sentence and what can be done about it, which moves below it if there is little space. */
export const NoticeLine = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[3]};
  > span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`;
