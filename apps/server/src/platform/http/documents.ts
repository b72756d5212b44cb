import type { PageConfig, PagePayload } from '@tour-ops/contract/page-config'
import { encode } from './encodings.ts'
import { routeList, type RouteList } from './route-list.ts'
import { staticFile, type StaticFile, type StaticFiles } from './static-files.ts'

/** Pages that the build renders ahead. Source: architecture, section 8, "prerendered pages". */
const prerenderedPaths = ['/sign-in', '/sign-up', '/waitlist'] as const

export interface Documents {
  /** The document for an address, and whether the application has such an address (200) or not (404). */
  at(path: string): { file: StaticFile; status: 200 | 404 } | undefined
  /** `_payload.json` of a prerendered page. */
  payload(path: string): StaticFile | undefined
}

/** Documents are made once: a build and a configuration do not change while the process lives. */
export async function createDocuments(files: StaticFiles, config: PageConfig): Promise<Documents> {
  const pages = new Map<string, StaticFile>()
  const payloads = new Map<string, StaticFile>()
  const shell = await page(files.text('/index.html'), config)
  for (const path of prerenderedPaths) {
    const own = await page(files.text(`${path}/index.html`), config)
    if (own) pages.set(path, own)
    payloads.set(`${path}/_payload.json`, payloadFile(path, config))
  }
  const isKnown = knownRoutes(files)
  return {
    payload: (path) => payloads.get(path),
    at(path) {
      const own = prerenderedPaths.find((page) => path === page || path.startsWith(`${page}/`))
      const file = (own && pages.get(own)) ?? shell
      return file && { file, status: isKnown(path) ? 200 : 404 }
    },
  }
}

/** Name of the running build, as the web application compares it. */
export function buildIdOf(files: StaticFiles): string {
  const latest = JSON.parse(files.text('/builds/latest.json') ?? '{}') as { id?: string; buildId?: string }
  return latest.id ?? latest.buildId ?? 'development'
}

function knownRoutes(files: StaticFiles): RouteList {
  const list = files.text('/routes.json')
  if (list === undefined) return () => true
  return routeList((JSON.parse(list) as { routes: string[] }).routes)
}

async function page(html: string | undefined, config: PageConfig): Promise<StaticFile | undefined> {
  if (html === undefined) return undefined
  const body = Buffer.from(withPageConfig(html, config))
  return { ...staticFile('/index.html', body), encoded: await encode(body, null, 'best') }
}

const block = /<script type="application\/json" id="page-config">[^<]*<\/script>/

/** Puts the data block in. `<` is escaped, so that no value can end the block and become markup. */
function withPageConfig(html: string, config: PageConfig): string {
  const data = JSON.stringify(config).replaceAll('<', String.raw`\u003c`)
  const tag = `<script type="application/json" id="page-config">${data}</script>`
  // functions as replacements: in a text, `$&` and its kin would be read as commands
  return block.test(html) ? html.replace(block, () => tag) : html.replace('</head>', () => `${tag}</head>`)
}

function payloadFile(path: string, config: PageConfig): StaticFile {
  const { buildId, signUp, providers, locale, passwordMinLength, demoAccounts } = config
  const payload: PagePayload = { path, buildId, signUp, providers, locale, passwordMinLength, demoAccounts }
  return staticFile(`${path}/_payload.json`, Buffer.from(JSON.stringify(payload)))
}
