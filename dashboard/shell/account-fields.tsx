/** Email and password fields with the attributes that browsers and password managers expect. */
import { Input } from '../ui/field.tsx'
import { accountFieldTexts } from './texts.ts'

interface FieldProps {
  value: string
  onChange(value: string): void
  error?: string
}

export const EmailField = ({ value, onChange, error, focus = true }: FieldProps & { focus?: boolean }) => (
  <Input
    label={accountFieldTexts.email}
    type="email"
    autoComplete="username"
    required
    autoFocus={focus}
    value={value}
    error={error}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const PasswordField = ({ value, onChange, label, focus }: FieldProps & { label: string; focus?: boolean }) => (
  <Input
    label={label}
    type="password"
    autoComplete="current-password"
    required
    autoFocus={focus}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const NewPasswordField = ({
  value,
  onChange,
  error,
  label,
  focus,
}: FieldProps & { label: string; focus?: boolean }) => (
  <Input
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={8}
    maxLength={200}
    autoFocus={focus}
    hint={accountFieldTexts.passwordHint}
    value={value}
    error={error}
    onChange={(event) => onChange(event.target.value)}
  />
)
