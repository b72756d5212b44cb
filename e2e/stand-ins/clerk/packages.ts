import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The service's own browser builds, pinned: what a loader gets from the service in production changes under its hands. */
const builds = [
  {
    name: '@clerk/clerk-js',
    version: '6.34.1',
    sha512: 'PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==',
  },
  {
    name: '@clerk/ui',
    version: '1.34.0',
    sha512: 'EP6Wcf+iqV5hJRMjfmVSOb7wWEgt2DuUOnR3Yv/ULPdmGgGWa64oc4tB4VfD66z8nXgtXqHEXNNnGURAOfQ7vQ==',
  },
] as const

type Build = (typeof builds)[number]

const cache = path.resolve(import.meta.dirname, '../../../.cache/clerk')

/**
 * The real script and the real widgets, by package and file (`@clerk/ui/dist/ui.browser.js`). Fetched with `npm pack` the first time, then
 * cached in `.cache`.
 *
 * @throws Error when a tarball cannot be fetched, or is not the pinned one.
 */
export function clerkPackages(): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const build of builds) {
    for (const [name, content] of filesIn(gunzipSync(tarball(build)))) {
      const inside = name.replace(/^package\//, '')
      if (/^dist\/[^/]+\.js$/.test(inside)) files.set(`${build.name}/${inside}`, content)
    }
  }
  return files
}

function tarball({ name, version, sha512 }: Build): Buffer {
  const file = path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!fs.existsSync(file)) fetchTarball(`${name}@${version}`)
  const content = fs.readFileSync(file)
  const sum = createHash('sha512').update(content).digest('base64')
  if (sum === sha512) return content
  fs.rmSync(file)
  throw new Error(`${name}@${version} is not the pinned build: its sha512 is ${sum}.`)
}

/** Unpacked next to the cache first, since several workers may begin at once. */
function fetchTarball(spec: string): void {
  fs.mkdirSync(cache, { recursive: true })
  const own = fs.mkdtempSync(path.join(cache, 'fetch-'))
  const args = ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', own]
  try {
    // without a network npm would go on trying, and no journey say why it waits
    const options = { encoding: 'utf8', shell: process.platform === 'win32', timeout: 60_000 } as const
    const { status, stderr } = spawnSync('npm', args, options)
    if (status !== 0) throw new Error(`npm pack ${spec} failed, which needs the npm registry once:\n${stderr}`)
    for (const name of fs.readdirSync(own)) fs.renameSync(path.join(own, name), path.join(cache, name))
  } finally {
    fs.rmSync(own, { recursive: true })
  }
}

const blockBytes = 512

/** Regular files of an archive in the form of POSIX.1-1988 (ustar): npm writes no other. */
function* filesIn(archive: Buffer): Generator<[name: string, content: Buffer]> {
  for (let at = 0; archive[at];) {
    const header = archive.subarray(at, at + blockBytes)
    const size = Number.parseInt(textIn(header, 124, 12), 8) || 0
    const name = [textIn(header, 345, 155), textIn(header, 0, 100)].filter(Boolean).join('/')
    const begin = at + blockBytes
    if (textIn(header, 156, 1) === '0') yield [name, archive.subarray(begin, begin + size)]
    at = begin + Math.ceil(size / blockBytes) * blockBytes
  }
}

const textIn = (block: Buffer, from: number, length: number): string =>
  block
    .subarray(from, from + length)
    .toString('latin1')
    .split('\0')[0] ?? ''
