import { FolderKanban } from 'lucide-react';
import type { RefObject } from 'react';
import { OptionText } from '#ui/fields/option.tsx';
import { SuggestionList } from '#ui/fields/suggestion-list.tsx';
import type { NamedProject } from './find-project.ts';
import type { ProjectCompletion } from './use-project-completion.ts';

type Props = { completion: ProjectCompletion; field: RefObject<HTMLInputElement | null> };

export function ProjectOptions({ completion, field }: Props) {
  const { listId, optionId, options, active, choose, activate, close } = completion;
  if (!active) return null;
  const toOption = (project: NamedProject) => ({
    id: optionId(project),
    content: (
      <>
        <FolderKanban aria-hidden="true" />
        <OptionText label={project.name} />
      </>
    ),
    onChoose: () => choose(project),
  });
  return (
    <SuggestionList
      id={listId}
      label="Projects"
      field={field}
      placement="bottom start"
      options={options.map(toOption)}
      activeId={optionId(active)}
      onActive={activate}
      onClose={close}
    />
  );
}
