/** A project as its members see it. */
import type { ProjectRow } from './queries.ts'

export const showProject = (row: ProjectRow & { role: string | null }) => ({
  id: row.id,
  name: row.name,
  publicKey: row.public_key,
  secretKeyHint: row.secret_key_hint,
  disabled: row.disabled_at !== null,
  disabledReason: row.disabled_reason,
  tracking: row.tracking,
  language: row.language,
  role: row.role,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
