import type { Project } from '@atrium/proto-events/http/projects';
import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { canHaveProgress, STATUS_OPTIONS } from '#entities/project/project-labels.ts';
import { useProjectManagers } from '#entities/user/use-users.ts';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { type FieldTexts, optionText } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { dayLabel } from '#lib/time/day.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import type { FieldProps } from '#ui/fields/field.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Slider } from '#ui/fields/slider.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { type EditProjectValues, type editProjectSchema, progressDecreaseText } from './project-schema.ts';

type Form = Control<EditProjectValues, unknown, z.output<ReturnType<typeof editProjectSchema>>>;
type Part = { control: Form; project: Project };

export function PlanFields({ control, project }: Part) {
  const isLocked = !project.abilities.update;
  return (
    <>
      <FieldRow>
        <FormField control={control} name="priority">
          {(field) => <Select {...field} label="Priority" options={PRIORITY_OPTIONS} isDisabled={isLocked} />}
        </FormField>
        <FormField control={control} name="status">
          {(field) => <Select {...field} label="Status" options={STATUS_OPTIONS} isDisabled={isLocked} />}
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField control={control} name="endDate">
          {(field) => <DatePicker {...field} label="Due date" isDisabled={isLocked} />}
        </FormField>
        <FormField control={control} name="budget">
          {(field) => <NumberField {...field} label="Budget (optional)" min={0} isDisabled={isLocked} />}
        </FormField>
      </FieldRow>
      <AssignedManager control={control} project={project} />
    </>
  );
}

/** The manager is fixed until they leave; then an administrator assigns a new one. */
function AssignedManager({ control, project }: Part) {
  const name = displayName(project.projectManager);
  if (project.abilities.changeManager) {
    const description = `${name} has left. Choose a new project manager.`;
    return (
      <FormField control={control} name="projectManager">
        {(field) => <ManagerField {...field} description={description} />}
      </FormField>
    );
  }
  return (
    <TextField
      label="Project manager"
      value={name}
      onChange={() => undefined}
      // The reason that locks the whole form is shown above it.
      description={
        project.abilities.update
          ? (project.denialReasons.changeManager ?? 'Project Manager cannot be changed.')
          : undefined
      }
      isDisabled
    />
  );
}

/** Increases in steps of five, if status and role allow it. */
export function ProgressField({ control, project, base }: Part & { base: Project }) {
  const status = useWatch({ control, name: 'status' });
  const canMove = project.abilities.updateProgress && canHaveProgress(status);
  const isComplete = project.progress === 100;
  const reason = () => {
    const { update, updateProgress } = project.denialReasons;
    // The reason that locks the whole form is shown above it.
    if (!project.abilities.updateProgress) return updateProgress === update ? undefined : updateProgress;
    if (!canMove) return 'Progress can only be updated when status is "In Progress" or "Completed"';
    return status === 'completed' ? 'A completed project is at 100%' : 'Progress can only increase';
  };
  return (
    <FormField control={control} name="progress">
      {({ value, onChange, error }) => {
        const isChanged = value !== base.progress;
        return (
          <Slider
            label="Progress"
            min={isComplete ? 0 : project.progress}
            value={shownProgress({ project, status, typed: isChanged ? value : project.progress })}
            onChange={onChange}
            isDisabled={!canMove || isComplete || status === 'completed'}
            description={reason()}
            error={isChanged && value < project.progress ? progressDecreaseText(project.progress, value) : error}
          />
        );
      }}
    </FormField>
  );
}

type ShownProgressParams = { project: Project; status: string; typed: number };

/** Returns the progress to show, which is 100% for a completed project. */
function shownProgress({ project, status, typed }: ShownProgressParams): number {
  if (status === 'completed' && project.abilities.updateProgress) return 100;
  return Math.max(typed, project.progress);
}

export const PROJECT_FIELDS: FieldTexts<EditProjectValues> = {
  name: 'Project title',
  description: 'Description',
  priority: { label: 'Priority', text: optionText(PRIORITY_OPTIONS) },
  status: { label: 'Status', text: optionText(STATUS_OPTIONS) },
  progress: { label: 'Progress', text: (progress) => `${progress}%` },
  endDate: { label: 'Due date', text: dayLabel },
  // Empty unless an administrator selects a new manager.
  projectManager: null,
  budget: { label: 'Budget', text: (budget) => (budget === null ? '' : formatNumber(budget)) },
};

type Props = Omit<FieldProps<string>, 'label'>;

/** Searches active administrators and project managers. */
export function ManagerField({ description, ...field }: Props) {
  const [search, setSearch] = useState('');
  const debouncedSearch = useDebounced(search);
  const managers = useProjectManagers(debouncedSearch);
  const options = (managers.data ?? []).map((manager) => ({
    value: manager._id,
    label: displayName(manager),
    description: roleLabel(manager.role),
  }));
  const failure = managers.error && 'The list of project managers could not be loaded. Close this and try again.';
  return (
    <ComboBox
      {...field}
      label="Project manager"
      options={options}
      onSearch={setSearch}
      isSearching={search !== debouncedSearch || managers.isLoading}
      placeholder="Type a name"
      description={failure ?? description}
    />
  );
}
