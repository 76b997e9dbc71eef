/** The YAML reader and writer are large, so they load on first use. */
import { loadOnce, Missing } from './later.js';

const fetchYaml = loadOnce(() => import('./yamltext.js'));

/** Loads the YAML tools, or throws an error with a sentence for the reader. */
export async function yamlTools() {
  const tools = await fetchYaml();
  if (!tools) throw new Missing('The YAML reader could not be loaded.');
  return tools;
}
