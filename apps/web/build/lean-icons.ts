import path from 'node:path'
import type { Plugin } from 'vite'

const ownMaker = path.join(import.meta.dirname, '../src/ui/make-icon.tsx')
/** Our maker in the place of the library's, whose only export is its default. */
const stand = '\0own-icon-maker'

/**
 * Makes the library's icons with our own maker in the built application. The library's own puts each icon together again whenever it is drawn,
 * by two components and one for every line of the drawing: 70 icons on a screen took 7 % of the time until it was of use.
 */
export function leanIcons(): Plugin {
  return {
    name: 'lean-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/createLucideIcon\.mjs$/ },
      handler: (_source, importer) => (importer?.includes('/lucide-react/') ? stand : undefined),
    },
    load: {
      filter: { id: /^\0own-icon-maker$/ },
      handler: () => `export { makeIcon as default } from ${JSON.stringify(ownMaker)}`,
    },
  }
}
