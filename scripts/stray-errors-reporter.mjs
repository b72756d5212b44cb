import fs from 'node:fs'

/** A reporter of vitest: writes what was thrown outside of any test to the file that STRAY_ERRORS_FILE names. */
export default class StrayErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const file = process.env.STRAY_ERRORS_FILE
    if (file && errors.length > 0) fs.writeFileSync(file, JSON.stringify(errors.map(describe)))
  }
}

/** The message with the file that was running and the place where it was thrown. */
function describe({ message, stacks, VITEST_TEST_PATH: running }) {
  const place = stacks?.[0] ? ` at ${stacks[0].file}:${stacks[0].line}` : ''
  return `${String(message).split('\n', 1)[0]}${place}${running ? `, while ${running} ran` : ''}`
}
