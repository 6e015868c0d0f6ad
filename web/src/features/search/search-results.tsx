import { styled } from 'styled-components';
import { NoOptions } from '#ui/fields/option.tsx';
import { rowStyles } from '#ui/fields/row-styles.ts';
import { MarkedText } from '#ui/marked-text.tsx';
import { alignWithParent, captionStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import type { Group, Result } from './result.ts';

type Props = {
  id: string;
  groups: readonly Group[];
  active: string | undefined;
  onPoint: (id: string) => void;
  onGo: (result: Result) => void;
  emptyText: string;
};

/** A listbox controlled by the search field, which keeps focus. */
export function SearchResults({ id, groups, active, onPoint, onGo, emptyText }: Props) {
  if (groups.length === 0) return <NoOptions role="status">{emptyText}</NoOptions>;
  return (
    <List id={id} role="listbox" aria-label="Results">
      {groups.map(({ name, results }) => (
        <Part key={name} role="group" aria-label={name}>
          <GroupName aria-hidden="true">{name}</GroupName>
          {results.map((result) => (
            <Row
              key={result.id}
              id={result.id}
              role="option"
              aria-selected={result.id === active}
              $isActive={result.id === active}
              onPointerMove={() => onPoint(result.id)}
              onClick={() => onGo(result)}
            >
              <ResultIcon>{result.icon}</ResultIcon>
              <Texts>
                <Line>
                  <Name dir="auto">{result.title ? <MarkedText parts={result.title} /> : result.name}</Name>
                  {result.detail && <Detail>{result.detail}</Detail>}
                </Line>
                {result.snippet && (
                  <Excerpt dir="auto">
                    <MarkedText parts={result.snippet} />
                  </Excerpt>
                )}
              </Texts>
            </Row>
          ))}
        </Part>
      ))}
    </List>
  );
}

const List = styled.div`
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  padding: ${theme.space[2]};
`;

const Part = styled.div`
  & + & {
    margin-top: ${theme.space[1]};
  }
`;

const GroupName = styled.div`
  padding: ${theme.space[2]} 10px ${theme.space[1]};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text2};
`;

const Row = styled.div<{ $isActive: boolean }>`
  ${rowStyles}
  min-height: 40px;
  ${({ $isActive }) => $isActive && `background: ${theme.color.sunken};`}
`;

const ResultIcon = styled.span`
  flex: none;
  display: grid;
  place-items: center;
  width: 24px;
`;

const Texts = styled.span`
  flex: 1;
  min-width: 0;
`;

const Line = styled.span`
  ${inlineStyles(3)}
`;

const Excerpt = styled.span`
  display: block;
  ${captionStyles}
  ${ellipsis}
`;

const Name = styled.span`
  min-width: 0;
  ${ellipsis}
`;

const Detail = styled(Name)`
  unicode-bidi: plaintext;
  ${alignWithParent}
  flex: 1;
  ${captionStyles}
`;
