import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { clampLines, ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = {
  /** Where the message belongs. */
  place: string;
  note: ReactNode;
  text: string;
  /** Why it was not sent. */
  failure?: string | null;
  actions: ReactNode;
};

/** A message that is not sent yet. */
export function LaterRow({ place, note, text, failure = null, actions }: Props) {
  return (
    <Card $isFailed={failure !== null}>
      <Head>
        <Heading dir="auto">{place}</Heading>
        <Note>{note}</Note>
      </Head>
      <Text dir="auto">{text}</Text>
      {failure !== null && <Failure>Not sent. {failure}.</Failure>}
      <Actions>{actions}</Actions>
    </Card>
  );
}

const Card = styled.li<{ $isFailed: boolean }>`
  display: grid;
  gap: ${theme.space[2]};
  min-width: 0;
  padding: ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${({ $isFailed }) => ($isFailed ? theme.color.danger : theme.color.line)};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
`;

const Head = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: ${theme.space[3]};
  min-width: 0;
`;

const Heading = styled.h3`
  ${ellipsis}
  min-width: 0;
  font: 500 ${theme.text.sm};
`;

const Note = styled.span`
  flex: none;
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  color: ${theme.color.text2};
`;

const Text = styled.p`
  ${clampLines(3)}
  overflow-wrap: anywhere;
  white-space: pre-line;
`;

const Failure = styled.p`
  font: ${theme.text.sm};
  color: ${theme.color.danger};
  overflow-wrap: anywhere;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[1]};
  /* The labels of ghost buttons start below the text. */
  margin-inline-start: -10px;
  ${theme.media.small} {
    display: grid;
    grid-template-columns: auto auto;
    justify-content: start;
    justify-items: start;
  }
`;
