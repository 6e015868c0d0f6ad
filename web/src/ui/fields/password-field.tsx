import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A password field with a button that shows and hides its value. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton label={isShown ? 'Hide password' : 'Show password'} onPress={() => setShown(!isShown)}>
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
