import { createHash } from 'node:crypto'
import { readFileSync, renameSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

/** Adapters of hosted services: stored by phones of an installation that is configured for one, and by no others. */
const isHosted = (module: string): boolean => /\/src\/(identity\/clerk|backend\/firebase)\//.test(module)

/** Of the hosted services what no phone loads: live documents, files, analytics, and what belongs to the sign-in form. */
const isOfDashboard = (module: string): boolean =>
  /\/firebase\/(firestore|storage|analytics)\/|\/firestore-rest\.ts|\/@clerk\/localizations\/|\/(clerk-wallet-button|invited-card)\.tsx/.test(
    module,
  )

/** Scripts that are reached from this one without passing one that is left out. */
function reachedFrom(
  first: string,
  bundle: Rolldown.OutputBundle,
  isLeftOut: (module: string) => boolean,
): Set<string> {
  const reached = new Set<string>()
  const queue = [first]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const chunk = bundle[name]
    if (reached.has(name) || chunk?.type !== 'chunk' || isLeftOut(chunk.facadeModuleId ?? '')) continue
    reached.add(name)
    queue.push(...chunk.imports, ...chunk.dynamicImports)
  }
  return reached
}

const addresses = (names: readonly string[]): string[] => names.map((name) => `/${name}`).toSorted()

/** Fonts of other scripts than Latin are fetched when a name needs them; the first visit must not. */
const isLatin = (file: string): boolean => !/-(cyrillic|cyrillic-ext|vietnamese)-wght/.test(file)

/**
 * Ends the build of the guide's phone: its document goes to `duty/index.html`, and its worker is built with the lists of the files that it
 * stores for hours without a network. A worker of one file, since browsers do not all take modules for workers.
 */
export function dutyWorker(): Plugin {
  let root = ''
  let outDir = ''
  let files: string[] = []
  let hostedFiles: string[] = []
  return {
    name: 'duty-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = path.resolve(root, config.build.outDir)
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const entry = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.isEntry)
        if (!entry) this.error('The build of the phone has no entry.')
        const scripts = reachedFrom(entry.fileName, bundle, (module) => isHosted(module) || isOfDashboard(module))
        const hosted = reachedFrom(entry.fileName, bundle, isOfDashboard)
        hostedFiles = addresses([...hosted].filter((name) => !scripts.has(name)))
        files = addresses(
          Object.keys(bundle).filter(
            (name) => name.startsWith('assets/') && isLatin(name) && (!name.endsWith('.js') || scripts.has(name)),
          ),
        )
      },
    },
    async closeBundle() {
      mkdirSync(path.join(outDir, 'duty'), { recursive: true })
      renameSync(path.join(outDir, 'duty.html'), path.join(outDir, 'duty/index.html'))
      const html = readFileSync(path.join(outDir, 'duty/index.html'), 'utf8')
      const kept = [...files, '/before-paint.js', '/icon.svg', '/duty.webmanifest']
      const name = createHash('sha256')
        .update([...kept, ...hostedFiles].join('\n'))
        .update(html)
        .digest('hex')
        .slice(0, 16)
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        publicDir: false,
        define: {
          dutyFiles: JSON.stringify(kept),
          hostedFiles: JSON.stringify(hostedFiles),
          dutyBuild: JSON.stringify(name),
        },
        build: {
          outDir,
          emptyOutDir: false,
          target: 'es2023',
          rolldownOptions: {
            input: path.join(root, 'src/duty-worker.ts'),
            output: { format: 'iife', entryFileNames: 'duty-worker.js' },
          },
        },
      })
    },
  }
}
