import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { MarkedText } from '#ui/marked-text.tsx';
import { alignWithParent, captionStyles, clampLines, ellipsis, focusRing } from '#ui/mixins.ts';
import { Card } from '#ui/pages/card.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { theme } from '#ui/theme.ts';
import { type SearchGroup, toResults } from '../found-results.tsx';
import { type Result, TYPE_LABELS } from '../result.ts';
import { recordVisit } from '../visited-results.ts';

type Props = { groups: readonly SearchGroup[]; hasOneType: boolean; onType: (type: SearchType) => void };

export function ResultGroups({ groups, hasOneType, onType }: Props) {
  const { _id: userId } = useCurrentUser();
  const found = groups.filter(({ data }) => data.length > 0);
  return (
    <Groups>
      {found.map((group) => (
        <Card key={group.type} title={TYPE_LABELS[group.type]}>
          <List>
            {toResults(group, userId).map((result) => (
              <ResultRow key={result.id} result={result} onOpen={recordVisit.bind(null, userId)} />
            ))}
          </List>
          {(group.more || group.total > group.data.length) && (
            <Foot>
              {hasOneType ? (
                <p>These are the best {group.data.length} matches. Add a word to narrow the search.</p>
              ) : (
                <TextButton onPress={() => onType(group.type)}>
                  {`Show all ${formatNumber(group.total)}${group.more ? '+' : ''}`}
                </TextButton>
              )}
            </Foot>
          )}
        </Card>
      ))}
    </Groups>
  );
}

type RowProps = {
  result: Result;
  onOpen: (visited: { to: string; name: string; detail?: string | undefined }) => void;
};

function ResultRow({ result, onOpen }: RowProps) {
  if (!('to' in result)) return null;
  const { to, name, title, detail, snippet, icon } = result;
  return (
    <li>
      <Row to={to} onClick={() => onOpen({ to, name, detail })}>
        <Icon>{icon}</Icon>
        <Texts>
          <Name dir="auto">{title ? <MarkedText parts={title} /> : name}</Name>
          {detail && <Detail>{detail}</Detail>}
          {snippet && (
            <Excerpt dir="auto">
              <MarkedText parts={snippet} />
            </Excerpt>
          )}
        </Texts>
      </Row>
    </li>
  );
}

const Groups = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[5]};
`;

const List = styled.ul`
  margin: 0;
  padding: ${theme.space[2]};
  list-style: none;
`;

const Row = styled(Link)`
  ${focusRing}
  display: grid;
  grid-template-columns: 24px minmax(0, 1fr);
  gap: ${theme.space[3]};
  padding: ${theme.space[2]} ${theme.space[3]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  &:hover {
    background: ${theme.color.hover};
    text-decoration: none;
  }
`;

const Icon = styled.span`
  display: grid;
  place-items: center;
  height: 24px;
  svg {
    width: 18px;
    height: 18px;
    color: ${theme.color.text2};
  }
`;

const Texts = styled.span`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  min-width: 0;
`;

const Name = styled.span`
  font-weight: 500;
  ${ellipsis}
`;

const Detail = styled.span`
  unicode-bidi: plaintext;
  ${alignWithParent}
  ${captionStyles}
  ${ellipsis}
`;

const Excerpt = styled.span`
  margin-top: 2px;
  color: ${theme.color.text2};
  ${clampLines(2)}
  overflow-wrap: anywhere;
`;

const Foot = styled.div`
  padding: 0 ${theme.space[5]} ${theme.space[4]};
  ${captionStyles}
`;
