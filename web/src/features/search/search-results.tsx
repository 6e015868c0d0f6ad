import { Header } from 'react-aria-components/Header';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { styled } from 'styled-components';
import { NoOptions, rowLook } from '../../ui/option.tsx';
import { theme } from '../../ui/theme.ts';
import type { Page, Result } from './results.tsx';
import { useSearch } from './use-search.ts';

type Props = { words: string; pages: readonly Page[]; onGo: (to: string) => void };

export function SearchResults({ words, pages, onGo }: Props) {
  const { groups, isLoading, hasFailed } = useSearch(words, pages);
  const results = new Map(groups.flatMap((group) => group.results.map((result) => [result.key, result] as const)));
  const nothing = () => <NoOptions>{isLoading ? 'Searching...' : `Nothing found for “${words.trim()}”`}</NoOptions>;
  return (
    <>
      {hasFailed && <NoOptions role="alert">People and projects cannot be searched right now.</NoOptions>}
      <List
        aria-label="Results"
        onAction={(key) => {
          const result = results.get(String(key));
          if (result) onGo(result.to);
        }}
        renderEmptyState={hasFailed ? () => null : nothing}
      >
        {groups.map((group) => (
          <ListBoxSection key={group.name} id={group.name}>
            <GroupName>{group.name}</GroupName>
            {group.results.map((result) => (
              <ResultRow key={result.key} result={result} />
            ))}
          </ListBoxSection>
        ))}
      </List>
    </>
  );
}

function ResultRow({ result }: { result: Result }) {
  return (
    <Row id={result.key} textValue={result.name}>
      <Mark>{result.mark}</Mark>
      <Name>{result.name}</Name>
      {result.detail && <Detail>{result.detail}</Detail>}
    </Row>
  );
}

const List = styled(ListBox)`
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  padding: ${theme.space[2]};
  outline: none;
`;

const GroupName = styled(Header)`
  padding: ${theme.space[2]} 10px ${theme.space[1]};
  font: 500 ${theme.text.xs};
  color: ${theme.color.text2};
`;

const Row = styled(ListBoxItem)`
  ${rowLook}
  min-height: 40px;
`;

const Mark = styled.span`
  flex: none;
  display: grid;
  place-items: center;
  width: 24px;
`;

const Name = styled.span`
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Detail = styled(Name)`
  flex: 1;
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;
