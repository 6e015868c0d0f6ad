import { Check, Circle } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { FormField } from '#lib/forms/form-field.tsx';
import { inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { PasswordField } from './text-field.tsx';

type Passwords = { password: string; confirmPassword: string };
type Props = { label?: string; confirmLabel?: string; autoFocus?: boolean };

export function NewPasswordFields({ label = 'Password', confirmLabel = 'Confirm password', autoFocus = false }: Props) {
  const { control, trigger, getFieldState } = useFormContext<Passwords>();
  const password = useWatch({ control, name: 'password' });
  const validateConfirmation = () => {
    if (getFieldState('confirmPassword').isTouched) void trigger('confirmPassword');
  };
  return (
    <>
      <FormField control={control} name="password">
        {({ onChange, ...field }) => (
          <PasswordField
            {...field}
            onChange={(value) => {
              onChange(value);
              validateConfirmation();
            }}
            label={label}
            autoComplete="new-password"
            autoFocus={autoFocus}
            isRequired
          />
        )}
      </FormField>
      <PasswordStrength password={password} />
      <FormField control={control} name="confirmPassword">
        {(field) => <PasswordField {...field} label={confirmLabel} autoComplete="new-password" isRequired />}
      </FormField>
    </>
  );
}

/** Repeats the rules of `newPassword` in the contract. */
const RULES: readonly { label: string; pattern: RegExp }[] = [
  { label: '8 characters or more', pattern: /^.{8,}$/s },
  { label: 'A lowercase letter', pattern: /[a-z]/ },
  { label: 'An uppercase letter', pattern: /[A-Z]/ },
  { label: 'A number', pattern: /\d/ },
  { label: 'One of @$!%*?&#', pattern: /[@$!%*?&#]/ },
];

function PasswordStrength({ password }: { password: string }) {
  const metCount = RULES.filter(({ pattern }) => pattern.test(password)).length;
  return (
    <Box>
      <Meter
        role="meter"
        aria-label="Password strength"
        aria-valuemin={0}
        aria-valuemax={RULES.length}
        aria-valuenow={metCount}
        aria-valuetext={`${metCount} of ${RULES.length} requirements met`}
      >
        {RULES.map(({ label }, index) => (
          <Part key={label} $isOn={index < metCount} $isAll={metCount === RULES.length} />
        ))}
      </Meter>
      <List>
        {RULES.map(({ label, pattern }) => (
          <Rule key={label} label={label} isMet={pattern.test(password)} />
        ))}
      </List>
    </Box>
  );
}

function Rule({ label, isMet }: { label: string; isMet: boolean }) {
  return (
    <Line $isMet={isMet}>
      {isMet ? <Check aria-hidden="true" /> : <Circle aria-hidden="true" />}
      <span>
        {label}
        <VisuallyHidden>{isMet ? ', met' : ', not met yet'}</VisuallyHidden>
      </span>
    </Line>
  );
}

const Box = styled.div`
  display: grid;
  gap: ${theme.space[2]};
`;

const Meter = styled.div`
  display: grid;
  grid-template-columns: repeat(5, 1fr);
  gap: ${theme.space[1]};
`;

const Part = styled.span<{ $isOn: boolean; $isAll: boolean }>`
  height: 4px;
  border-radius: ${theme.radius.full};
  background: ${({ $isOn, $isAll }) => {
    if (!$isOn) return theme.color.line;
    return $isAll ? theme.color.success : theme.color.warning;
  }};
  transition: background ${theme.motion.fast};
`;

const List = styled.ul`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 2px ${theme.space[3]};
`;

const Line = styled.li<{ $isMet: boolean }>`
  ${inlineStyles('6px')}
  font: ${theme.text.sm};
  color: ${({ $isMet }) => ($isMet ? theme.color.success : theme.color.text2)};
  svg {
    flex: none;
    width: 14px;
    height: 14px;
    ${({ $isMet }) => !$isMet && 'transform: scale(0.5);'}
  }
`;
