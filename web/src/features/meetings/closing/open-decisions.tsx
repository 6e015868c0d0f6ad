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
  const { data, ...more } = useMore(project);
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
        footer={more.hasMore && <ShowMore more={more} variant="secondary" isFullWidth />}
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
function useMore(project?: string) {
  const [limits, setLimits] = useState({ limit: project ? INITIAL_LIMIT : STEP, before: 0 });
  const { limit, before } = limits;
  const queryOf = (pageLimit: number) => ({ page: 1, limit: pageLimit, ...(project && { project }) });
  const decisions = useOpenDecisions(queryOf(limit));
  const error = decisions.data === undefined && before > 0 ? decisions.error : undefined;
  const fewer = useOpenDecisions(error ? queryOf(before) : null);
  const data = error ? fewer.data : decisions.data;
  return {
    data,
    hasMore: data !== undefined && data.total > data.data.length && data.data.length < MAX_LIMIT,
    isLoading: decisions.isLoading,
    error,
    load: () =>
      error ? void decisions.mutate() : setLimits({ limit: Math.min(limit + STEP, MAX_LIMIT), before: limit }),
  };
}

const List = styled.ul`
  padding: 0 ${theme.gutter.card};
`;
