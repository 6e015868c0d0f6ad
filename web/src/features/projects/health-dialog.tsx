import { healthStatus, type Project, reportHealthBody } from '@atrium/proto-events/http/projects';
import { z } from 'zod';
import { HEALTH_OPTIONS } from '#entities/project/health-pill.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { RadioGroup } from '#ui/fields/radio-group.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { useProjectActions } from './use-project-actions.ts';

type Values = { status: string; note: string };

const schema = z.preprocess((values: Values) => values, reportHealthBody);

const DESCRIPTIONS = {
  'on-track': 'It will be done as planned',
  'at-risk': 'It can be done as planned if something changes',
  'off-track': 'It will not be done as planned',
} as const;

const OPTIONS = HEALTH_OPTIONS.map(({ value, label }) => ({ value, label, description: DESCRIPTIONS[value] }));

type Props = { project: Project; onClose: () => void };

export function HealthDialog({ project, onClose }: Props) {
  const { reportHealth } = useProjectActions();
  const form = useCreateForm({
    schema,
    defaultValues: { status: project.health?.status ?? healthStatus.enum['on-track'], note: '' },
    draft: `project:${project._id}:health`,
    create: (body) => reportHealth(project._id, body),
    messages: { created: 'Project health updated', failed: 'Failed to update the project health' },
    onCreated: onClose,
  });
  const { control } = form;
  return (
    <FormDialog form={form} title="Project Health" onClose={onClose} action="Update Health">
      <FormField control={control} name="status">
        {(field) => <RadioGroup {...field} label="Health" options={OPTIONS} />}
      </FormField>
      <FormField control={control} name="note">
        {(field) => <TextArea {...field} label="Reason" isRequired maxLength={500} />}
      </FormField>
    </FormDialog>
  );
}
