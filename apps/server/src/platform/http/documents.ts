import { isDutyPath } from '@tour-ops/contract/duty/duty-terms'
import type { PageConfig, PagePayload } from '@tour-ops/contract/page-config'
import { startAddress, startScreenOf } from '@tour-ops/contract/start'
import { encode } from './encodings.ts'
import { routeList } from './route-list.ts'
import { staticFile, type StaticFile, type StaticFiles } from './static-files.ts'

/** Pages that the build renders ahead. See ARCHITECTURE.md, "Where the specification is silent". */
const prerenderedPaths = ['/sign-in', '/sign-up', '/waitlist'] as const

export interface Documents {
  /** The document for an address, `search` being what follows its question mark. */
  at(path: string, search: string): FoundDocument | undefined
  /** `_payload.json` of a prerendered page. */
  payload(path: string): StaticFile | undefined
}

export interface FoundDocument {
  readonly file: StaticFile
  /** Whether the application has such an address. */
  readonly status: 200 | 404
  /** Value of the `Link` header: what the page will need, so that the browser fetches it together with the document. RFC 8288. */
  readonly link: string | undefined
}

/** Documents are made once: a build and a configuration do not change while the process lives. */
export async function createDocuments(files: StaticFiles, config: PageConfig): Promise<Documents> {
  const pages = new Map<string, StaticFile>()
  const payloads = new Map<string, StaticFile>()
  const shell = await page(files.text('/index.html'), config)
  const phone = await page(files.text('/duty/index.html'), config)
  for (const path of prerenderedPaths) {
    const own = await page(files.text(`${path}/index.html`), config)
    if (own) pages.set(path, own)
    payloads.set(`${path}/_payload.json`, payloadFile(path, config))
  }
  const blocking = blockingScripts(files.text('/index.html'))
  const routes = routesOf(files, (pattern, search) => [...blocking, ...firstQuestions(config, pattern, search)])
  return {
    payload: (path) => payloads.get(path),
    at(path, search) {
      if (phone && isDutyPath(path)) return { file: phone, status: 200, link: undefined }
      const own = prerenderedPaths.find((page) => path === page || path.startsWith(`${page}/`))
      const file = (own && pages.get(own)) ?? shell
      return file && { file, ...routes(path, search) }
    },
  }
}

/** Name of the running build, as the web application compares it. */
export function buildIdOf(files: StaticFiles): string {
  const latest = JSON.parse(files.text('/builds/latest.json') ?? '{}') as { id?: string; buildId?: string }
  return latest.id ?? latest.buildId ?? 'development'
}

type Route = Pick<FoundDocument, 'status' | 'link'>

function routesOf(
  files: StaticFiles,
  beforeAll: (pattern: string, search: string) => readonly string[],
): (path: string, search: string) => Route {
  const written = files.text('/routes.json')
  if (written === undefined) return () => ({ status: 200, link: undefined })
  const { routes, chunks = {} } = JSON.parse(written) as { routes: string[]; chunks?: Record<string, string[]> }
  const patternOf = routeList(routes)
  const links = new Map(Object.entries(chunks).map(([pattern, names]) => [pattern, names.map(linkTo)]))
  return (path, search) => {
    const pattern = patternOf(path)
    if (pattern === undefined) return { status: 404, link: undefined }
    const own = links.get(pattern)
    return { status: 200, link: own && [...beforeAll(pattern, search), ...own].join(', ') }
  }
}

/** Scripts ask for their style sheets with `crossorigin`, as Vite has it; a preload without it would be fetched and thrown away. */
const linkTo = (name: string): string =>
  name.endsWith('.css') ? `</${name}>; rel=preload; as=style; crossorigin=anonymous` : `</${name}>; rel=modulepreload`

/** Nothing is painted before these have run: they would otherwise wait behind all modules, which the browser learns of earlier. */
const blockingScripts = (html = ''): string[] =>
  [...html.matchAll(/<script src="(?<address>[^"]+)"/g)].map(
    ({ groups }) => `<${groups?.['address']}>; rel=preload; as=script`,
  )

/**
 * "Who is here?" is what every page asks first of our own identity: the answer comes with the scripts, one round trip earlier, for pages
 * of signed-in people with everything else that they begin with. The fetch of the page takes it when mode and credentials are the same
 * (`anonymous`: sent to the same origin). Source: HTML standard, "consume a preloaded resource".
 */
const firstQuestions = ({ identity, baseUrl, hasStart }: PageConfig, pattern: string, search: string): string[] => {
  if (identity.kind !== 'embedded') return []
  const screen = hasStart ? startScreenOf(pattern, search) : undefined
  const path = screen === undefined ? '/auth/get-session' : startAddress(screen)
  return [`<${baseUrl}${path}>; rel=preload; as=fetch; crossorigin=anonymous`]
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
