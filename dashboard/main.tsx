/** Loads the texts of the user's language, then everything else: texts are read while modules load. */
import { loadLanguage } from './languages/load.ts'
import { applyTheme } from './look/theme.ts'

applyTheme()
loadLanguage().then(() => import('./start.tsx'))
