import { useFormContext } from 'react-hook-form';
import { FormField } from '../../lib/form-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

type Passwords = { password: string; confirmPassword: string };

/** A new password with what it must have, and once more. The form around it holds both values. */
export function NewPasswordFields() {
  const { control } = useFormContext<Passwords>();
  return (
    <>
      <FormField control={control} name="password">
        {(field) => (
          <PasswordField
            {...field}
            label="Password"
            autoComplete="new-password"
            description="At least 8 characters with a lowercase and an uppercase letter, a number and one of @$!%*?&#"
            isRequired
          />
        )}
      </FormField>
      <FormField control={control} name="confirmPassword">
        {(field) => <PasswordField {...field} label="Confirm password" autoComplete="new-password" isRequired />}
      </FormField>
    </>
  );
}
