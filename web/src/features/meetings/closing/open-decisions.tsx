import { useState } from 'react';
import { styled } from 'styled-components';
import { useOpenDecisions } from '../../../entities/meeting/use-closing.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/pages/card.tsx';
import { theme } from '../../../ui/theme.ts';
import { DecisionRow } from './decision-row.tsx';
import { useRowFocus } from './use-row-focus.ts';

/** Beside other things a few are enough to begin with. */
const FEW = 3;
const STEP = 20;
const MOST = 100;

/** What was decided and is not done, of all meetings or of a project's; nothing where there is none. */
export function OpenDecisions({ project }: { project?: string }) {
  const [limit, setLimit] = useState(project ? FEW : STEP);
  const { data } = useOpenDecisions({ page: 1, limit, ...(project && { project }) });
  const rows = useRowFocus(data?.data.map(({ _id }) => _id) ?? []);
  if (!data || data.total === 0) return null;
  const hasMore = data.total > data.data.length && limit < MOST;
  return (
    <Place>
      <Card
        title="Open Decisions"
        action={<Count>{data.total}</Count>}
        footer={
          hasMore && (
            <Button size="sm" isFullWidth onPress={() => setLimit(Math.min(limit + STEP, MOST))}>
              Show more
            </Button>
          )
        }
      >
        <List {...rows}>
          {data.data.map((decision) => (
            <DecisionRow key={decision._id} decision={decision} hasMeeting />
          ))}
        </List>
      </Card>
    </Place>
  );
}

const Place = styled.div`
  margin-top: ${theme.space[6]};
`;

const Count = styled.span`
  font-variant-numeric: tabular-nums;
  color: ${theme.color.text2};
`;

const List = styled.ul`
  padding: 0 ${theme.space[5]};
  ${theme.media.compact} {
    padding: 0 ${theme.space[4]};
  }
`;
