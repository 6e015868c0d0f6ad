import { keyframes, styled } from 'styled-components';
import { messageOf } from '#lib/api/api-error.ts';
import { captionStyles } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { theme } from '#ui/theme.ts';
import type { Unknown } from './use-events.ts';

type Props = {
  unknown: Unknown;
  /** 'Failed to load meetings'. */
  failure: string;
  answer: { error?: unknown; isValidating: boolean; mutate: () => Promise<unknown> };
};

/** Shows over an empty grid that its events are loading or failed to load, with a retry. */
export function Missing({ unknown, failure, answer: { error, isValidating, mutate } }: Props) {
  return (
    <>
      {/* A live region must be mounted before its text changes. */}
      <Place role="status">{unknown === 'loading' && <Word>Loading</Word>}</Place>
      {unknown === 'failed' && (
        <Failure>
          <ErrorState
            title={failure}
            detail={messageOf(error, '')}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        </Failure>
      )}
    </>
  );
}

/* Takes no space, so that the grid below does not move. */
const Place = styled.div`
  position: relative;
  z-index: 8;
  height: 0;
  text-align: center;
  pointer-events: none;
`;

const appear = keyframes`from { opacity: 0; }`;

/* Delayed, so that it does not flash for fast responses. */
const Word = styled.span`
  position: absolute;
  top: ${theme.space[4]};
  inset-inline-start: 50%;
  translate: -50% 0;
  padding: ${theme.space[1]} ${theme.space[3]};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.float};
  ${captionStyles}
  animation: ${appear} 120ms 200ms backwards;
`;

const Failure = styled(CardSurface)`
  margin-bottom: ${theme.space[4]};
`;
