"""transform: nodes_to_science_data, and the bundle of code and data (generate_ear, curate_ear, publish_ear)."""

from __future__ import annotations

from skills import kit
from skills.stage import stage_of
from skills.transform import bundle
from tasks.explore.data.in_words import transform_data

server = kit.skill(
    "transform", "From the nodes of a search to data that a paper may cite, and to a bundle of code and data."
)
bundle.register(server)


@server.tool()
async def nodes_to_science_data(ctx: kit.Call) -> str:
    """Write science_data.json: every number with its file, digest and node, read by code; words by the analyst."""
    with stage_of(ctx) as stage:
        data = await transform_data(kit.asker(ctx), stage.run_dir)
    stats = data.summary_stats
    return kit.answer(
        {
            "headline": f"{len(data.all_numbers())} numbers of {stats.count} experiments, of which {stats.primary_metric_n} count",
            "file": "science_data.json",
            "configurations": len(data.configurations),
            "numbers": len(data.all_numbers()),
            "best": data.configurations[0].node_id,
            "report_driven": data.report_driven,
            "refused": [reason for found in data.configurations for reason in found.refused][:20],
        }
    )


if __name__ == "__main__":
    server.main()
