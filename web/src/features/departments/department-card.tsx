import { Pencil, RotateCcw, Trash2, UserRoundX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { countEmployees, type Department } from '#entities/department/use-departments.ts';
import { Button } from '#ui/button.tsx';
import { hueOf } from '#ui/initials-circle.tsx';
import { Box, Text } from '#ui/layout/primitives.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';

export type DepartmentAction = 'edit' | 'delete' | 'reactivate';

type Props = {
  department: Department;
  canManage: boolean;
  busyIds: readonly string[];
  onAction: (action: DepartmentAction, department: Department) => void;
};

export function DepartmentCard({ department, canManage, busyIds, onAction }: Props) {
  return (
    <Card as="article" aria-label={department.name} $isInactive={!department.isActive}>
      <Head>
        {/* The ids of the default departments are nearly identical. */}
        <Initial style={{ '--hue': hueOf(department.name) }} aria-hidden="true">
          {Array.from(department.name)[0]?.toUpperCase()}
        </Initial>
        <Box $flex="fill">
          <Text as="h3" $clamp={1} title={department.name} dir="auto">
            {department.name}
          </Text>
          <Text as={Link} $size="sm" $tone="text2" $tabular to={`/team?department=${department._id}`}>
            {countEmployees(department.employeeCount)}
          </Text>
        </Box>
        {department.isActive ? <Pill tone="success">Active</Pill> : <Pill>Inactive</Pill>}
      </Head>
      {canManage && <Actions department={department} busyIds={busyIds} onAction={onAction} />}
    </Card>
  );
}

function Actions({ department, busyIds, onAction }: Omit<Props, 'canManage'>) {
  const { name, isActive, employeeCount } = department;
  const act = (action: DepartmentAction) => () => onAction(action, department);
  return (
    <Foot>
      <Button size="sm" variant="ghost" icon={<Pencil />} onPress={act('edit')} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      {!isActive && (
        <Button
          size="sm"
          variant="ghost"
          icon={<RotateCcw />}
          isBusy={busyIds.includes(department._id)}
          onPress={act('reactivate')}
          aria-label={`Reactivate ${name}`}
        >
          Reactivate
        </Button>
      )}
      {employeeCount === 0 && (
        <Button size="sm" variant="ghost" icon={<Trash2 />} onPress={act('delete')} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      )}
      {employeeCount > 0 && isActive && (
        <Button
          size="sm"
          variant="ghost"
          icon={<UserRoundX />}
          onPress={act('delete')}
          aria-label={`Deactivate ${name}`}
        >
          Deactivate
        </Button>
      )}
    </Foot>
  );
}

const Card = styled(CardSurface)<{ $isInactive: boolean }>`
  display: flex;
  flex-direction: column;
  ${({ $isInactive }) => $isInactive && 'background: transparent; box-shadow: none;'}
`;

const Head = styled.div`
  ${inlineStyles(3)}
  flex: 1;
  padding: ${theme.space[5]};
`;

const Initial = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 44px;
  height: 44px;
  border-radius: ${theme.radius.lg};
  background: hsl(var(--hue) var(--person-ground));
  color: hsl(var(--hue) var(--person-ink));
  font: 600 ${theme.text.lg};
`;

const Foot = styled.footer`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[1]};
  padding: ${theme.space[2]} ${theme.space[3]};
  border-top: 1px solid ${theme.color.line};
`;
