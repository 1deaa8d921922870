/** The fields of accounts, as browsers and password managers want them. */
import { Input } from './field.tsx'

interface FieldProps {
  value: string
  onChange(value: string): void
  wrong?: string
}

export const EmailField = ({ value, onChange, wrong }: FieldProps) => (
  <Input
    label="Email"
    type="email"
    autoComplete="username"
    required
    autoFocus
    value={value}
    wrong={wrong}
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

export const NewPasswordField = ({ value, onChange, wrong, label }: FieldProps & { label: string }) => (
  <Input
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={8}
    maxLength={200}
    hint="At least 8 characters. Long beats clever."
    value={value}
    wrong={wrong}
    onChange={(event) => onChange(event.target.value)}
  />
)
