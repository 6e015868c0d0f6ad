import { ChevronLeft, ChevronRight } from 'lucide-react';
import { styled } from 'styled-components';
import { ProjectField } from '#entities/project/project-field.tsx';
import { UserFilter } from '#entities/user/user-filter.tsx';
import { useMedia } from '#lib/hooks/use-media.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { ellipsis, hiddenInPrint, inlineStyles } from '#ui/mixins.ts';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { rangeLabel, VIEWS, type View } from '../layout/shown-range.ts';
import type { CalendarView, Whose } from './use-events.ts';

export const VIEW_LABELS: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' };
const ITEMS = VIEWS.map((key) => ({ key, label: VIEW_LABELS[key] }));

const RANGE_NAMES: Record<View, string> = { month: 'month', week: 'week', day: 'day', agenda: 'weeks' };

type Props = { calendarView: CalendarView; onNavigate: (by: 1 | -1) => void };

export function CalendarBar({ calendarView, onNavigate }: Props) {
  const { view, day, today, show } = calendarView;
  const isSmall = useMedia(theme.media.small);
  return (
    <Bar>
      <Navigation>
        <Button onPress={() => show.day(today)} aria-keyshortcuts="T">
          Today
        </Button>
        <IconButton label={`Previous ${RANGE_NAMES[view]}`} onPress={() => onNavigate(-1)} aria-keyshortcuts="K">
          <ChevronLeft />
        </IconButton>
        <IconButton label={`Next ${RANGE_NAMES[view]}`} onPress={() => onNavigate(1)} aria-keyshortcuts="J">
          <ChevronRight />
        </IconButton>
        <h2 aria-live="polite">{rangeLabel(view, day, isSmall)}</h2>
      </Navigation>
      <Filters>
        <OwnerFilter calendarView={calendarView} />
        <SegmentedControl label="View" items={ITEMS} selected={view} onSelect={(next) => show.view(next)} />
      </Filters>
    </Bar>
  );
}

function OwnerFilter({ calendarView: { whose, project, person, show } }: Pick<Props, 'calendarView'>) {
  const isAdmin = useCurrentUser().role === 'admin';
  const options: { value: Whose; label: string }[] = [
    { value: 'mine', label: 'My meetings' },
    // Others see only meetings they are invited to.
    ...(isAdmin ? [{ value: 'all', label: 'Everyone’s meetings' } as const] : []),
    { value: 'project', label: 'A project’s meetings' },
    { value: 'person', label: 'A colleague’s busy times' },
  ];
  return (
    <Fields>
      <Select label="Whose calendar" isLabelHidden value={whose} onChange={show.whose} options={options} />
      {whose === 'project' && (
        <ProjectField
          label="Project of the calendar"
          placeholder="Which project?"
          isLabelHidden
          value={project}
          onChange={show.project}
          error={undefined}
        />
      )}
      {whose === 'person' && (
        <UserFilter label="Colleague" placeholder="Which colleague?" value={person} onChange={show.person} />
      )}
    </Fields>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]};
  margin-bottom: ${theme.space[4]};
  ${theme.media.small} {
    gap: ${theme.space[2]};
    margin-bottom: ${theme.space[3]};
  }
`;

const Navigation = styled.div`
  ${inlineStyles(1)}
  min-width: 0;
  h2 {
    min-width: 0;
    margin-inline-start: ${theme.space[2]};
    font: 600 ${theme.text.xl};
    letter-spacing: -0.01em;
    font-variant-numeric: tabular-nums;
    ${ellipsis}
  }
  ${theme.media.small} {
    flex: 1 0 100%;
    h2 {
      font: 600 ${theme.text.lg};
    }
  }
`;

const Filters = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  ${theme.media.small} {
    width: 100%;
    gap: ${theme.space[2]} ${theme.space[1]};
    > :last-child > * {
      padding: 0 6px;
    }
  }
  ${hiddenInPrint}
`;

const Fields = styled.div`
  display: flex;
  gap: ${theme.space[2]};
  > * {
    width: 216px;
  }
  ${theme.media.small} {
    display: contents;
    > * {
      flex: 1 1 0;
      width: auto;
      min-width: 0;
    }
    > :nth-child(2) {
      order: 1;
      flex: 1 0 100%;
    }
  }
`;
