import { styled } from 'styled-components';
import { captionStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

const TIPS: readonly { example: string; meaning: string }[] = [
  { example: 'type:task', meaning: 'Only tasks; also person, project, meeting, document, or message' },
  {
    example: 'from:ada',
    meaning: 'Created, uploaded, organized, or sent by Ada, with or without other words; from:me is you',
  },
  { example: 'in:portal', meaning: 'In a project; for messages, in a conversation with exactly this name' },
  { example: 'before:2026-01-31', meaning: 'Before a day; also after: and on:' },
  { example: '"site visit"', meaning: 'These words next to each other' },
  { example: '-draft', meaning: 'Without this word' },
  { example: 'has:file', meaning: 'Messages only; also has:link, has:reaction, is:thread, is:pinned, and is:saved' },
];

export function SearchTips() {
  return (
    <List>
      {TIPS.map(({ example, meaning }) => (
        <Tip key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{meaning}</dd>
        </Tip>
      ))}
    </List>
  );
}

const List = styled.dl`
  display: grid;
  gap: ${theme.space[2]};
  max-width: 560px;
  margin: 0 auto;
  padding: 0 ${theme.space[5]} ${theme.space[6]};
  text-align: start;
`;

const Tip = styled.div`
  display: grid;
  grid-template-columns: 150px minmax(0, 1fr);
  gap: ${theme.space[3]};
  align-items: baseline;
  code {
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  dd {
    margin: 0;
    ${captionStyles}
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    gap: 2px;
  }
`;
