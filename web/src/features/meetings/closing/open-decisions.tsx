import { useState } from 'react';
import { styled } from 'styled-components';
import { useOpenDecisions } from '#entities/meeting/use-closing.ts';
import { Box, Text } from '#ui/layout/primitives.ts';
import { Card } from '#ui/pages/card.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { theme } from '#ui/theme.ts';
import { DecisionRow } from './decision-row.tsx';
import { useRowFocus } from './use-row-focus.ts';

const INITIAL_LIMIT = 3;
const STEP = 20;
const MAX_LIMIT = 100;

export function OpenDecisions({ project }: { project?: string }) {
  const { data, ...paging } = useDecisionPages(project);
  const rows = useRowFocus(data?.data.map(({ _id }) => _id) ?? []);
  if (!data || data.total === 0) return null;
  return (
    <Box $above={6}>
      <Card
        title="Open Decisions"
        action={
          <Text $tone="text2" $tabular>
            {data.total}
          </Text>
        }
        footer={paging.hasMore && <ShowMore more={paging} variant="secondary" isFullWidth />}
      >
        <List {...rows}>
          {data.data.map((decision) => (
            <DecisionRow key={decision._id} decision={decision} hasMeeting />
          ))}
        </List>
      </Card>
    </Box>
  );
}

/** Keeps the loaded decisions if loading more fails. */
function useDecisionPages(project?: string) {
  const [limits, setLimits] = useState({ limit: project ? INITIAL_LIMIT : STEP, previousLimit: 0 });
  const { limit, previousLimit } = limits;
  const buildQuery = (pageLimit: number) => ({ page: 1, limit: pageLimit, ...(project && { project }) });
  const decisions = useOpenDecisions(buildQuery(limit));
  const error = decisions.data === undefined && previousLimit > 0 ? decisions.error : undefined;
  const previousDecisions = useOpenDecisions(error ? buildQuery(previousLimit) : null);
  const data = error ? previousDecisions.data : decisions.data;
  return {
    data,
    hasMore: data !== undefined && data.total > data.data.length && data.data.length < MAX_LIMIT,
    isLoading: decisions.isLoading,
    error,
    load: () =>
      error ? void decisions.mutate() : setLimits({ limit: Math.min(limit + STEP, MAX_LIMIT), previousLimit: limit }),
  };
}

const List = styled.ul`
  padding: 0 ${theme.gutter.card};
`;
