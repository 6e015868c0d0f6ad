import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { FormNotices, type ResourceForm } from '#ui/forms/form-notices.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { theme } from '#ui/theme.ts';

type Props = {
  form: ResourceForm & { form: { reset: () => void; formState: { isDirty: boolean } } };
  resourceLabel: string;
  action: string;
  children: ReactNode;
};

export function EditPanelForm({ form: resourceForm, resourceLabel, action, children }: Props) {
  const { form, conflict, submit } = resourceForm;
  const { isDirty, isSubmitting } = form.formState;
  return (
    <PanelForm onSubmit={(event) => void submit(event)} noValidate>
      <FormNotices form={resourceForm} resourceLabel={resourceLabel} />
      {children}
      <footer>
        {isDirty && <SelfRemovingButton onPress={() => form.reset()}>Discard changes</SelfRemovingButton>}
        <Button type="submit" variant="primary" isBusy={isSubmitting} isDisabled={!isDirty || conflict !== undefined}>
          {isSubmitting ? 'Saving...' : action}
        </Button>
      </footer>
    </PanelForm>
  );
}

export const PanelForm = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  padding: ${theme.gutter.panel};
  > footer {
    display: flex;
    justify-content: flex-end;
    gap: ${theme.space[2]};
    padding-top: ${theme.space[2]};
  }
  ${theme.media.small} {
    > footer > button {
      flex: 1;
    }
  }
`;
