# SPDX-License-Identifier: Apache-2.0

"""Random histories of a cloud's volumes, and a model to check them.

A history is a list of requests, some of which meet trouble: Cinder fails, a
service stops, a message waits or is lost, another request is handled in
the middle. Hypothesis makes the histories.
The cloud, its faults and its invariants are those of fault_matrix.
"""
