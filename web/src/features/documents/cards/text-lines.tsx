import type { FoundDocument, Snippet } from '@atrium/proto-events/http/documents';
import { styled } from 'styled-components';
import { Caption } from '#ui/layout/primitives.ts';
import { captionStyles, clampLines } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

const NOT_READ = {
  pending: 'Not indexed yet. Search finds it by name only.',
  failed: 'The text could not be read. Search finds it by name only.',
};

/** The matching excerpt, or why the text cannot be searched. */
export function TextLines({ document: { snippet, text } }: { document: FoundDocument }) {
  if (snippet) return <Found>{splitMatches(snippet)}</Found>;
  return text === 'pending' || text === 'failed' ? <Caption $tone="text3">{NOT_READ[text]}</Caption> : null;
}

/** The excerpt split at its matches; rendered as text, never as HTML. */
function splitMatches({ text, marks }: Snippet) {
  let end = 0;
  const shown = marks.flatMap((mark) => {
    const before = text.slice(end, mark.start);
    end = mark.end;
    return [before, <Mark key={mark.start}>{text.slice(mark.start, mark.end)}</Mark>];
  });
  return [...shown, text.slice(end)];
}

const Found = styled.p`
  ${clampLines(4)}
  /* Affects the text only; the bar stays on its side. */
  unicode-bidi: plaintext;
  padding-inline-start: ${theme.space[3]};
  border-inline-start: 2px solid ${theme.color.line};
  ${captionStyles}
`;

const Mark = styled.mark`
  border-radius: 2px;
  background: ${theme.color.warningSoft};
  color: ${theme.color.text};
`;
