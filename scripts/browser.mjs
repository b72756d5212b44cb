import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '..')
/** Chromium without a window: the same engine for half of the browser's own work. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const usualPlaces = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * A Chromium for the journeys and what its environment needs: one that is there, else Debian's package (as root),
 * else the one from npm, else an error that says what to install.
 */
export async function findBrowser() {
  const installed = [process.env.CHROMIUM_PATH, ...usualPlaces].find((place) => place && fs.existsSync(place))
  if (installed) return { executable: installed, env: {} }
  if (installDebianPackage()) return { executable: headlessShell, env: {} }
  const packaged = await packagedBrowser()
  if (packaged) return packaged
  throw new Error(
    'No Chromium found. Install one (Debian: apt-get install chromium-headless-shell) or name it in CHROMIUM_PATH.',
  )
}

function installDebianPackage() {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return false
  console.log('Installing Chromium from Debian …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-core', 'fonts-noto-cjk'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    },
  )
  return fs.existsSync(headlessShell)
}

/** npm's Chromium is 75 MB and rarely needed, so it is fetched only here, next to the project's own packages. */
async function packagedBrowser() {
  if (process.platform !== 'linux') return undefined
  const folder = path.join(root, '.cache/browser')
  fs.mkdirSync(folder, { recursive: true })
  const npm = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '@sparticuz/chromium@153.0.0'],
    { stdio: 'inherit' },
  )
  if (npm.status !== 0) return undefined
  const entry = createRequire(path.join(folder, 'package.json')).resolve('@sparticuz/chromium')
  const { default: chromium } = await import(pathToFileURL(entry).href)
  const executable = await chromium.executablePath()
  const libraries = path.join(os.tmpdir(), 'al2023/lib')
  return { executable, env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(os.tmpdir(), 'fonts') } }
}
