import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { HtmlTagDescriptor, Plugin } from 'vite'
import { routeChunks } from './route-chunks.ts'
import { routePaths } from './route-paths.ts'
import { publicPages, staticFrame } from './static-pages.ts'

const buildIdPlaceholder = '__BUILD_ID__'

/** Latin letters are on every page: their font travels with the style sheet that asks for it. The other scripts wait until they are needed. */
function withFontPreload(html: string, fileNames: readonly string[]): string {
  const font = fileNames.find((name) => /geist-latin-wght-normal-.*\.woff2$/.test(name))
  if (!font) throw new Error('The build has no Latin font to preload; was it renamed?')
  const link = `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin />`
  return html.replace('<title>', `${link}\n    <title>`)
}

/**
 * Writes what the running application and the server ask of a build (spec, section 7, "Build manifest", "Latest build", "Page payload"):
 * - `builds/latest.json`: the id of this build, asked for about every hour;
 * - `builds/meta/{buildId}.json`: what it consists of, fetched one second after the start;
 * - `routes.json`: every address of the application, so that the server answers 404 for all others, and the files that each one needs;
 * - a static frame and a `_payload.json` for each public page.
 *
 * The id is a hash over the names of the emitted files, which carry content hashes themselves: building the same sources twice gives the
 * same id, and no page reloads without need.
 */
export function buildFiles(): Plugin {
  let root = ''
  let isBuild = false
  return {
    name: 'build-files',
    configResolved(config) {
      root = config.root
      isBuild = config.command === 'build'
    },
    transformIndexHtml(html) {
      const tags: HtmlTagDescriptor[] = [
        { tag: 'meta', attrs: { name: 'build-id', content: isBuild ? buildIdPlaceholder : 'dev' }, injectTo: 'head' },
      ]
      return { html, tags }
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const fileNames = Object.keys(bundle)
          .filter((name) => !name.endsWith('.html'))
          .toSorted()
        const page = bundle['index.html']
        if (page?.type !== 'asset') this.error('The build has no index.html to make the public pages from.')
        const template = withFontPreload(String(page.source), fileNames)
        const id = createHash('sha256').update(fileNames.join('\n')).update(template).digest('hex').slice(0, 16)
        const html = template.replaceAll(buildIdPlaceholder, id)
        page.source = html
        const timestamp = Date.now()
        const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
        emit('builds/latest.json', JSON.stringify({ id, timestamp }))
        emit(`builds/meta/${id}.json`, JSON.stringify({ id, timestamp, files: fileNames, pages: publicPages }))
        const routes = routePaths(readFileSync(path.join(root, 'src/routeTree.gen.ts'), 'utf8'))
        emit('routes.json', JSON.stringify({ routes, chunks: routeChunks(bundle, routes) }, null, 1))
        for (const publicPage of publicPages) {
          emit(`${publicPage.slice(1)}/index.html`, staticFrame(html))
          emit(`${publicPage.slice(1)}/_payload.json`, JSON.stringify({ buildId: id, path: publicPage }))
        }
      },
    },
  }
}
