/**
 * `npm run generate`: writes what is derived from the code (the schema, column types, the OpenAPI document, the client's
 * types, the settings page).
 * server/test/project/generated.test.ts fails when one of them is out of date.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { routes } from './app.ts'
import { describeSchema } from './platform/database/describe-schema.ts'
import { describeTables } from './platform/database/describe-tables.ts'
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { openApiDocument } from './platform/http/openapi.ts'
import { VERSION } from './platform/version.ts'
import { settingsDocument } from './settings-text.ts'

export async function generatedFiles(migratedDatabaseUrl: string): Promise<Record<string, string>> {
  const openApi = JSON.stringify(openApiDocument(routes, { version: VERSION }), null, 2)
  return {
    'server/schema.sql': await describeSchema(migratedDatabaseUrl),
    'server/platform/database/tables.ts': await describeTables(migratedDatabaseUrl),
    'docs/openapi.json': `${openApi}\n`,
    'docs/configuration.md': settingsDocument(),
    'sdk/api-types.ts': await clientTypes(openApi),
  }
}

/** What the TypeScript client knows of the API. */
const clientTypes = async (openApi: string): Promise<string> =>
  `/** Made by \`npm run generate\` from docs/openapi.json; do not edit. */\n\n${astToString(await openapiTypes(openApi))}`

async function generate(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'posthorn-generate-'))
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false })
  try {
    await migrate(postgres.url)
    for (const [file, text] of Object.entries(await generatedFiles(postgres.url))) {
      await writeFile(path.join(import.meta.dirname, '..', file), text)
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) await generate()
