import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '../../ui/button.tsx';
import { theme } from '../../ui/theme.ts';
import { useProject } from './use-projects.ts';

type Props = { id: string; what: string; onClear: () => void };

/** Says that a screen shows one project's only, and takes that away again. */
export function ProjectFilter({ id, what, onClear }: Props) {
  const { data, error } = useProject(id);
  const name = data?.name ?? (error ? 'a project that is not there' : '…');
  return (
    <Bar role="status">
      <span title={name}>
        {what} of <strong dir="auto">{name}</strong>
      </span>
      <Button size="sm" variant="ghost" icon={<X />} onPress={onClear}>
        Show all
      </Button>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[3]};
  color: ${theme.color.text2};
  > span {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  strong {
    font-weight: 500;
    color: ${theme.color.text};
  }
`;
