import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { isolate } from '@atrium/proto-events/text/isolate';
import { SearchIcon, SearchX } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useEverything } from '#entities/search/everything.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { formatList } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { Notice } from '#ui/notice.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { missingText, toSearchType } from '../result.ts';
import { parseSearchQuery, type SearchQuery, searchedTypes } from '../search-query.ts';
import { SearchTips } from '../search-tips.tsx';
import { Facets } from './facets.tsx';
import { ResultGroups } from './result-groups.tsx';

const NO_QUERY = { q: '', type: '' };
const RESULTS_PER_TYPE = 5;
const RESULTS_OF_ONE_TYPE = 50;

/** The query and the type are in the URL, so that Back, reload, and links lead to the same results. */
export function SearchPage() {
  const [urlState, setUrlState] = useUrlState(NO_QUERY);
  const [typed, setTyped] = useState(urlState.q);
  const [previousQuery, setPreviousQuery] = useState(urlState.q);
  if (previousQuery !== urlState.q) {
    setPreviousQuery(urlState.q);
    if (urlState.q !== typed.trim()) setTyped(urlState.q);
  }
  const query = parseSearchQuery(useDebounced(typed.trim()));
  const change = (text: string) => {
    setTyped(text);
    setUrlState({ q: text.trim() });
  };
  return (
    <>
      <Bar role="search">
        <SearchField label="Search everything" value={typed} onChange={change} autoFocus={urlState.q === ''} />
      </Bar>
      {query.text !== '' && <PrintedQuery>Results for “{isolate(typed)}”</PrintedQuery>}
      {query.text === '' ? (
        <Card title="Results">
          <EmptyState
            icon={<SearchIcon />}
            title="Search everything"
            hint="People, projects, tasks and comments, meetings and minutes, documents, and messages."
          />
          <SearchTips />
        </Card>
      ) : (
        <Found
          query={query}
          type={toSearchType(urlState.type) ?? query.type}
          onType={(type) => {
            // The choice replaces `type:` in the query.
            setTyped(query.text);
            setUrlState({ q: query.text, type: type ?? '' }, 'push');
          }}
        />
      )}
    </>
  );
}

type FoundProps = { query: SearchQuery; type: SearchType | undefined; onType: (type: SearchType | undefined) => void };

function Found({ query, type, onType }: FoundProps) {
  const all = useEverything(query.text, {
    types: searchedTypes({ ...query, type: undefined }),
    limit: RESULTS_PER_TYPE,
  });
  const ofType = useEverything(query.text, { types: type ? [type] : [], limit: RESULTS_OF_ONE_TYPE });
  const shown = type ? ofType : all;
  return (
    <Columns>
      <Facets groups={all.data?.groups ?? []} type={type} onType={onType} />
      <AsyncContent query={shown} failure="Failed to search" skeletons={<SkeletonRows count={6} />} isFramed>
        {({ groups, missing }) => (
          <div>
            {missing.length > 0 && (
              <Missing>
                <Notice>
                  {missingText(missing, formatList)}{' '}
                  <Button size="sm" onPress={() => void shown.mutate()}>
                    Retry
                  </Button>
                </Notice>
              </Missing>
            )}
            {groups.some(({ data }) => data.length > 0) ? (
              <ResultGroups groups={groups} hasOneType={type !== undefined} onType={onType} />
            ) : (
              <Card title="Results">
                <EmptyState
                  icon={<SearchX />}
                  title="Nothing found"
                  hint="Check the spelling, use fewer words, or choose another type."
                />
                <SearchTips />
              </Card>
            )}
          </div>
        )}
      </AsyncContent>
    </Columns>
  );
}

const Bar = styled.div`
  display: flex;
  max-width: 640px;
  margin-bottom: ${theme.space[5]};
  ${hiddenInPrint}
`;

/** Instead of the search field. */
const PrintedQuery = styled.p`
  display: none;
  margin-bottom: ${theme.space[5]};
  @media print {
    display: block;
  }
`;

const Missing = styled.div`
  margin-bottom: ${theme.space[4]};
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: 200px minmax(0, 1fr);
  gap: ${theme.space[6]};
  align-items: start;
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
    gap: ${theme.space[4]};
  }
  @media print {
    grid-template-columns: minmax(0, 1fr);
  }
`;
