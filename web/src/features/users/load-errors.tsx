import { styled } from 'styled-components';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { usePeoplePage, useUserStats } from '#entities/user/use-people.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { theme } from '#ui/theme.ts';
import { PAGE_SIZE, type UserFilters } from './user-filters.ts';

/** The requests that failed to load, each with a retry button. */
export function LoadErrors({ filters }: { filters: UserFilters }) {
  const parts = [
    { answer: usePeoplePage({ ...filters, limit: PAGE_SIZE }), text: 'Failed to load users', action: 'Retry Users' },
    { answer: useUserStats(), text: 'Failed to load user stats', action: 'Retry Stats' },
    { answer: useAllDepartments(), text: 'Failed to load departments', action: 'Retry Departments' },
  ];
  const failed = parts.filter((part) => part.answer.error);
  if (failed.length === 0) return null;
  return (
    <Place>
      <Notice tone="danger">
        {failed.map((part) => (
          <p key={part.action}>{part.text}</p>
        ))}
        <Actions>
          {failed.map((part) => (
            <Button
              key={part.action}
              size="sm"
              onPress={() => void part.answer.mutate()}
              isBusy={part.answer.isValidating}
            >
              {part.action}
            </Button>
          ))}
        </Actions>
      </Notice>
    </Place>
  );
}

const Place = styled.div`
  margin-bottom: ${theme.space[4]};
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  margin-top: ${theme.space[2]};
`;
